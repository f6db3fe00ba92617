/* Exercises: memory that procedures of the program allocate and return, also through another procedure and into fields and
 * elements, registered by the callers without its size. */
#include <stdlib.h>

#include "check.h"

struct field {
    int cells;
    double *now, *next;
};

static size_t total;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        exit(1);
    total += bytes;
    return memory;
}

static double *vector(int n)
{
    double *v = allocate(n * sizeof *v);
    for (int k = 0; k < n; k++)
        v[k] = 0.25 * k;
    return v;
}

static void step(struct field *f, double **rows, int turn)
{
    double *swap = f->now;
    for (int k = 0; k < f->cells; k++)
        f->next[k] = f->now[k] * 0.5 + rows[turn % 3][k % 5] + turn;
    f->now = f->next;
    f->next = swap;
}

int main(void)
{
    struct field f = {12, NULL, NULL};
    double *rows[3];
    int *counts, turn;

#pragma cppc init
    f.now = vector(f.cells);
#pragma cppc register(f.now[])
    f.next = vector(f.cells);
#pragma cppc register(f.next[])
    for (int k = 0; k < 3; k++) {
        rows[k] = vector(5 + k);
#pragma cppc register(rows[k][])
    }
    counts = allocate(7 * sizeof *counts);
#pragma cppc register(counts[])
    for (int k = 0; k < 7; k++)
        counts[k] = k;
#pragma cppc register(total, turn, f.cells)
    for (turn = 0; turn < 6; turn++) {
#pragma cppc checkpoint
        step(&f, rows, turn);
        counts[turn] += (int)f.now[turn];
        rows[turn % 3][1] -= counts[turn];
        show("now", turn, sum_reals(SUM_START, f.now, (size_t)f.cells));
        show("counts", turn, sum_bytes(SUM_START, counts, 7 * sizeof *counts));
    }
    printf("%zu %.17g\n", total, rows[1][1] + f.next[3]);
    free(f.now);
    free(f.next);
    for (int k = 0; k < 3; k++)
        free(rows[k]);
    free(counts);
#pragma cppc shutdown
    return 0;
}
