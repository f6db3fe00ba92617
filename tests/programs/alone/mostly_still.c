/* Exercises: memory of which little changes from one checkpoint to the next: a table that stays, a field of
 * which a few elements change, two buffers that change places, zeros. */
#include <stdlib.h>

#include "check.h"

#define COUNT 100000

static double table[COUNT], zeros[COUNT];

int main(void)
{
    double *field, *now, *next, *t;
    int i, k;

#pragma cppc init
    field = malloc(COUNT * sizeof *field);
    now = malloc(COUNT * sizeof *now);
    next = malloc(COUNT * sizeof *next);
    for (k = 0; k < COUNT; k++) {
        table[k] = k * 0.25 + k % 7;
        field[k] = k * 0.5;
        now[k] = k % 1000 * 1e-3 + k;
        next[k] = -k - 0.125;
    }
#pragma cppc register(i, table, zeros, field[COUNT], now[COUNT], next[COUNT])
    for (i = 0; i < 14; i++) {
#pragma cppc checkpoint
        for (k = i * 5000; k < i * 5000 + 40; k++)
            field[k] = 0.5 * field[k] + table[(k * 31) % COUNT] + zeros[k];
        field[COUNT - 1 - i] = now[i] - next[i];
        t = now;
        now = next;
        next = t;
        show("field", i, sum_reals(sum_reals(SUM_START, field, COUNT), table, COUNT));
        show("now", i, sum_reals(sum_reals(SUM_START, now, COUNT), zeros, COUNT));
    }
    free(field);
    free(now);
    free(next);
#pragma cppc shutdown
    return 0;
}
