/* Exercises: rows that are allocated one by one and registered in a loop, in two and three dimensions, of
 * different lengths, some swapped, made longer and given back between checkpoints; the subscripts are other ones
 * when the state is written. */
#include <stdlib.h>

#include "check.h"

#define LEVELS 3

typedef struct {
    int count;
    double *values;
} Row;

static double *levels[LEVELS];
static Row table[4];

static double *fresh(int count, double first)
{
    double *row = malloc(count * sizeof *row);
    int k;
    for (k = 0; k < count; k++)
        row[k] = first + 0.25 * k;
    return row;
}

/* Registers and uses what is the caller's. */
static Sum advance(double **rows, const int *length, int count, int step)
{
    Sum sum = SUM_START;
    int r;
    for (r = 0; r < count; r++) {
        rows[r][step % length[r]] += 0.5 * rows[(r + 1) % count][0];
        sum = sum_reals(sum, rows[r], length[r]);
    }
    return sum;
}

int main(void)
{
    double **rows, ***cube, *row;
    int length[5] = {3, 1, 4, 2, 5}, width[5] = {2, 2, 3, 2, 2};
    int order[LEVELS];
    int i, j, k, n = 5;

    for (k = 0; k < LEVELS; k++)
        order[k] = (k + 2) % LEVELS;
#pragma cppc init
    rows = malloc(n * sizeof *rows);
    for (k = 0; k < n; k++)
        rows[k] = fresh(length[k], k);
    cube = malloc(2 * sizeof *cube);
#pragma cppc register(rows[n], cube[2], length, width)
    for (k = 0; k < n; k++) {
#pragma cppc register(rows[k][length[k]])
    }
    for (j = 0; j < 2; j++) {
        cube[j] = malloc(n * sizeof **cube);
#pragma cppc register(cube[j][n])
        for (k = 0; k < n; k++) {
            cube[j][k] = fresh(width[k], 10 * j + k);
#pragma cppc register(cube[j][k][width[k]])
        }
    }
    for (k = 0; k < LEVELS; k++) {
        levels[order[k]] = fresh(4, -k);
#pragma cppc register(levels[order[k]][4])
    }
#pragma cppc unregister(levels[order[0]][4], levels[order[1]][4], levels[order[2]][4])
    for (k = 0; k < LEVELS; k++) {
#pragma cppc register(levels[k][4])
    }
    for (k = 0; k < 4; k++) {
        table[k].count = k + 1;
        table[k].values = fresh(k + 1, 100 * k);
#pragma cppc register(table[k].count, table[k].values[table[k].count])
    }
#pragma cppc register(i)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        show("rows", i, advance(rows, length, n, i));
        show("cube", i, advance(cube[i % 2], width, n, i));
        row = levels[0];
        levels[0] = levels[1];
        levels[1] = levels[2];
        levels[2] = row;
        levels[1][i % 4] += levels[0][0];
        for (k = 0; k < 4; k++)
            if (table[k].values != NULL)
                table[k].values[0] += levels[k % LEVELS][i % 4] + table[k].count;
        show("table", i, sum_reals(sum_reals(SUM_START, table[3].values, 4), table[1].values, 2));
        k = i % n;
        if (i > 2) {
            /* Longer than it was: registered again. */
            rows[k] = realloc(rows[k], (length[k] + 2) * sizeof **rows);
            rows[k][length[k]] = i;
            rows[k][length[k] + 1] = -i;
            length[k] += 2;
#pragma cppc register(rows[k][length[k]])
        }
        if (i == 5) {
#pragma cppc unregister(table[k].values, table[k].count)
            free(table[k].values);
            table[k].values = NULL;
        }
    }
    for (k = 0; k < LEVELS; k++)
        free(levels[k]);
    for (k = 0; k < n; k++)
        free(rows[k]);
    free(rows);
#pragma cppc shutdown
    return 0;
}
