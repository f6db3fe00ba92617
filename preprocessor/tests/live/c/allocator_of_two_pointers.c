/* reports: other[0] */
#include <stdlib.h>

static double *fresh(int n)
{
    return calloc(n, sizeof(double));
}

int main(void)
{
    double *own, *other;
    int i;
    own = fresh(4);
    other = fresh(4);
#pragma cppc init
#pragma cppc register(i, own[4])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        own[0] += i;
        other[0] += own[0];
    }
#pragma cppc shutdown
    return own[0] + other[0] > 3;
}
