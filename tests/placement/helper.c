/*
 * passes: 9
 * The loop is in a procedure. A warm-up calls the procedure for one step before.
 */
#include <stdio.h>
#include <stdlib.h>

static void advance(double *x, int n)
{
    for (int k = 0; k < 50; k++)
        for (int i = 1; i < n; i++)
            x[i] = 0.5 * (x[i] + x[i - 1]) + k;
}

static void work(double *x, int n, int steps)
{
    int step = 0;
    while (step < steps) {
        advance(x, n);
        step++;
        printf("%d %.17g\n", step, x[n - 1]);
        fflush(stdout);
    }
}

static int verified(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] < 0)
            return 0;
    return 1;
}

int main(void)
{
    int n = 200;
    double *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = i % 5;
    advance(x, n);
    work(x, n, 9);
    printf("%s\n", verified(x, n) ? "verified" : "failed");
    free(x);
    return 0;
}
