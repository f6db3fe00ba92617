/* All calls pass the same memory, or two arrays in any order.
 * reports: nothing
 */
#include <stdio.h>

static double same[4], old[4], new[4];

static void both(double *p, double *q, double *r, int n)
{
    int i;
#pragma cppc register(p[n], q[n], r[n])
#pragma cppc checkpoint
    for (i = 0; i < n; i++) {
        p[i] += q[i] + r[i];
        r[i] += 1;
    }
}

int main(void)
{
    int k;
#pragma cppc init
    for (k = 0; k < 4; k++)
        same[k] = old[k] = new[k] = k;
#pragma cppc register(k)
    for (k = 0; k < 4; k++) {
        if (k & 1)
            both(old, new, same, 4);
        else
            both(new, old, same, 4);
        printf("%g %g %g\n", old[1], new[1], same[1]);
    }
#pragma cppc shutdown
    return 0;
}
