#include <stdio.h>

void work(double *x, int n)
{
    for (int step = 0; step < 6; step++) {
        for (int k = 0; k < 30; k++)
            for (int i = 1; i < n; i++)
                x[i] = 0.5 * (x[i] + x[i - 1]);
        printf("%d %.17g\n", step, x[n - 1]);
        fflush(stdout);
    }
}
