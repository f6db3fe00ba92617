/* Exercises: rows of heap memory that a local pointer leads to, in a procedure that is left by `return`, once before and
 * once behind its checkpoint: the registers of the rows end with the procedure of that pointer. What is reached through a
 * parameter, or through a pointer that an execute block sets, lasts. */
#include <stdlib.h>

#include "check.h"

struct mesh {
    double *values;
    int count;
};

static struct mesh mesh[2];

static double rows_of(int rows, int leave)
{
    double **row = malloc(rows * sizeof *row), total = 0;
    int r;
#pragma cppc register(row[rows], r, total)
    for (r = 0; r < rows; r++) {
        row[r] = calloc(3, sizeof **row);
        row[r][r % 3] = r + 0.5;
#pragma cppc register(row[r][3])
    }
    if (leave)
        return row[rows - 1][(rows - 1) % 3];
#pragma cppc checkpoint
    for (r = 0; r < rows; r++)
        total += row[r][r % 3];
    return total;
}

static void keep(struct mesh *m, int count)
{
    m->values = malloc(count * sizeof *m->values);
    for (m->count = 0; m->count < count; m->count++)
        m->values[m->count] = m->count + 0.25;
#pragma cppc register(m->values[m->count])
}

static void keep_second(void)
{
    struct mesh *own;
#pragma cppc execute
    own = &mesh[1];
#pragma cppc end execute
    own->values = calloc(2, sizeof *own->values);
    own->count = 2;
#pragma cppc register(own->values[own->count])
}

int main(void)
{
    int i;
    double total = 0;
    Sum sum = SUM_START;

#pragma cppc init
#pragma cppc register(mesh, i, total, sum)
    keep(&mesh[0], 3);
    keep_second();
    total += rows_of(2, 1);
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        total += rows_of(2 + i, i % 2);
        mesh[0].values[i % 3] += total;
        mesh[1].values[i % 2] -= total;
        sum = sum_reals(sum_reals(sum_real(sum, total), mesh[0].values, 3), mesh[1].values, 2);
        show("total", i, sum);
    }
#pragma cppc shutdown
    return 0;
}
