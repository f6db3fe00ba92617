/* An object has its value when all items of its list were evaluated. Numbers that never change keep their values.
 * reports: lost */
static double u = 1;

static int step(int k)
{
#pragma cppc checkpoint
    u = u * 1.5 + k;
    return k;
}

int main(void)
{
    int count = 3;
    double scale = 1.0 / 3;
    int i, lost = 2;
#pragma cppc init
    lost++;
#pragma cppc register(u, i)
    for (i = 0; i < count; i++) {
        int values[3] = {1, step(i), 2};
        u += values[0] + values[1] * scale;
    }
#pragma cppc shutdown
    return u > lost;
}
