/* reports: field */
static double field[4];

static void work(double *values)
{
    int k;
#pragma cppc register(k)
    for (k = 0; k < 4; k++) {
#pragma cppc checkpoint
        values[0] += k;
    }
}

int main(void)
{
#pragma cppc init
    work(field);
#pragma cppc shutdown
    return field[0] > 1;
}
