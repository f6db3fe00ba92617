/* Exercises: a main program in C that calls procedures of Fortran, in which the checkpoint is; names
 * with an underscore, arguments by reference, a COMMON block seen as a structure. */
#include <stdio.h>
#include <stdlib.h>

void relax_(double *u, int *n, int *sweeps);
double residue_(double *u, int *n);
extern struct { double scale; int calls; } control_;

int main(void)
{
    int n = 8, i, sweeps;
    double *u, r;

    control_.scale = 0.5;
#pragma cppc init
    u = malloc((size_t)n * sizeof *u);
    for (i = 0; i < n; i++)
        u[i] = i * i;
#pragma cppc register(i, n, u[n], r, control_.scale)
    for (i = 0; i < 4; i++) {
        sweeps = 1 + i % 2;
        relax_(u, &n, &sweeps);
        r = residue_(u, &n);
#pragma cppc checkpoint
        control_.scale += 0.125;
        printf("%d %d %.17g %.17g\n", i, control_.calls, r, u[n / 2]);
    }
    free(u);
#pragma cppc shutdown
    return 0;
}
