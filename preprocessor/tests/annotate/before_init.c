/* Memory that the program allocates before `init`. A restart allocates it again there. */
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int n;
    double *now, *next;
};

static double *weights;

static void make(struct grid *grid, int n)
{
    grid->n = n;
    grid->now = malloc(n * sizeof *grid->now);
    grid->next = calloc(n, sizeof *grid->next);
    weights = malloc(n * sizeof *weights);
    for (int k = 0; k < n; k++)
        grid->now[k] = weights[k] = k;
}

int main(void)
{
    struct grid grid;
    int n = 8;
    double *own = malloc(n * sizeof *own), *none = NULL, sum = 0;

    for (int k = 0; k < n; k++)
        own[k] = k;
    make(&grid, n);
#pragma cppc init
    for (int step = 0; step < n; step++) {
#pragma cppc checkpoint
        grid.now[step] += step;
        grid.next[step] += sum;
        weights[step] += 1;
        own[step] += grid.now[step / 2];
        sum += own[step] + weights[step / 2] + grid.next[step / 2];
    }
    printf("%g %d\n", sum, none == NULL);
    return 0;
}
