/* A register without elements saves no memory. `apart` has a register of its own.
 * reports: direct, part, passed
 */
#include <stdio.h>

static double passed[10], direct[10], part[10], apart[10];

static void run(double *v, double *w, double *p)
{
    int k, i;
#pragma cppc register(k, i, v[0], w[2:0], p[0], direct[3:0], apart)
    for (k = 0; k < 3; k++) {
#pragma cppc checkpoint
        for (i = 0; i < 10; i++) {
            v[i] += i;
            w[i] += v[i];
            p[i] += w[i];
            direct[i] += p[i];
        }
    }
}

int main(void)
{
    int i;
#pragma cppc init
    for (i = 0; i < 10; i++)
        passed[i] = direct[i] = part[i] = apart[i] = i;
    run(passed, part, apart);
    for (i = 0; i < 10; i++)
        printf("%g %g %g %g\n", passed[i], direct[i], part[i], apart[i]);
#pragma cppc shutdown
    return 0;
}
