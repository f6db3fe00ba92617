/* reports: total, values */
static double values[8];
static int total;

static void begin(double *work)
{
    int k;
#pragma cppc register(k, *work)
    for (k = 0; k < 2; k++) {
#pragma cppc checkpoint
        *work += k;
    }
}

int main(void)
{
    int i;
#pragma cppc init
    begin(values);
#pragma cppc register(i, total)
    total = 3;
#pragma cppc unregister(total)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        total += i + (int)values[0];
    }
#pragma cppc shutdown
    return total;
}
