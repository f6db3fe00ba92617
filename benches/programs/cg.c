/* Conjugate gradients on a sparse matrix, with the checkpoint in the loop over the iterations and
 * the dot products in procedures of their own. */
#include <stdio.h>
#include <stdlib.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    int k;
    for (k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The five-point Laplacian of a square of side * side points, as compressed rows. */
static void build(int side, int *first, int *column, double *value)
{
    int i, j, entries = 0;
    for (i = 0; i < side; i++)
        for (j = 0; j < side; j++) {
            int row = i * side + j;
            first[row] = entries;
            if (i > 0)
                column[entries] = row - side, value[entries++] = -1.0;
            if (j > 0)
                column[entries] = row - 1, value[entries++] = -1.0;
            column[entries] = row, value[entries++] = 4.0;
            if (j < side - 1)
                column[entries] = row + 1, value[entries++] = -1.0;
            if (i < side - 1)
                column[entries] = row + side, value[entries++] = -1.0;
        }
    first[side * side] = entries;
}

static double solve(const int *first, const int *column, const double *value, int n,
                    double *x, double *r, double *p, double *q, int iterations)
{
    double rho, alpha, beta, old;
    int it, k, e;

    for (k = 0; k < n; k++) {
        x[k] = 0.0;
        r[k] = p[k] = 1.0 + k % 7;
    }
    rho = dot(r, r, n);
#pragma cppc register(it, rho, x[n], r[n], p[n], q[n])
    for (it = 0; it < iterations; it++) {
#pragma cppc checkpoint
        for (k = 0; k < n; k++) {
            double sum = 0.0;
            for (e = first[k]; e < first[k + 1]; e++)
                sum += value[e] * p[column[e]];
            q[k] = sum;
        }
        alpha = rho / dot(p, q, n);
        for (k = 0; k < n; k++) {
            x[k] += alpha * p[k];
            r[k] -= alpha * q[k];
        }
        old = rho;
        rho = dot(r, r, n);
        beta = rho / old;
        for (k = 0; k < n; k++)
            p[k] = r[k] + beta * p[k];
    }
    return rho;
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 200, iterations = argc > 2 ? atoi(argv[2]) : 3000;
    int n = side * side;
    int *first, *column;
    double *value, *x, *r, *p, *q, rho;

#pragma cppc init
    first = malloc((size_t)(n + 1) * sizeof *first);
    column = malloc((size_t)n * 5 * sizeof *column);
    value = malloc((size_t)n * 5 * sizeof *value);
    x = malloc((size_t)n * sizeof *x);
    r = malloc((size_t)n * sizeof *r);
    p = malloc((size_t)n * sizeof *p);
    q = malloc((size_t)n * sizeof *q);
    build(side, first, column, value);
#pragma cppc register(n, first[n + 1], column[first[n]], value[first[n]])
#pragma cppc register(x[n], r[n], p[n], q[n])
    rho = solve(first, column, value, n, x, r, p, q, iterations);
    printf("%.17g %.17g\n", rho, x[n / 2]);
    free(first);
    free(column);
    free(value);
    free(x);
    free(r);
    free(p);
    free(q);
#pragma cppc shutdown
    return 0;
}
