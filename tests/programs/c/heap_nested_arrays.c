/* Exercises: nested arrays with row pointers as one item: rows that are allocated one by one, row pointers into one
 * block, and arrays as in Numerical Recipes, with the lower bound 1. */

#include <stdio.h>
#include <stdlib.h>

enum { PLANES = 3, ROWS = 4, COLUMNS = 5, LOW = 1 };

struct grid {
    double ***cell;
    int planes;
};

static double ***rows_one_by_one(void)
{
    double ***a = malloc(PLANES * sizeof *a);
    for (int k = 0; k < PLANES; k++) {
        a[k] = malloc(ROWS * sizeof *a[k]);
        for (int j = 0; j < ROWS; j++)
            a[k][j] = calloc(COLUMNS, sizeof *a[k][j]);
    }
    return a;
}

static int ***one_block(void)
{
    int ***a = malloc(PLANES * sizeof *a);
    a[0] = malloc(PLANES * ROWS * sizeof *a[0]);
    a[0][0] = calloc(PLANES * ROWS * COLUMNS, sizeof *a[0][0]);
    for (int k = 0; k < PLANES; k++) {
        a[k] = a[0] + k * ROWS;
        for (int j = 0; j < ROWS; j++)
            a[k][j] = a[0][0] + (k * ROWS + j) * COLUMNS;
    }
    return a;
}

/* With NR_END of Numerical Recipes: the first element of each allocation is not used, and the lower bounds are 1. */
static float **matrix(void)
{
    float **m = (float **) malloc((ROWS + 1) * sizeof *m);
    m[0] = NULL;
    m += 1 - LOW;
    m[LOW] = (float *) calloc(ROWS * COLUMNS + 1, sizeof **m);
    m[LOW] += 1 - LOW;
    for (int i = LOW + 1; i < LOW + ROWS; i++)
        m[i] = m[i - 1] + COLUMNS;
    return m;
}

int main(void)
{
    double ***a = rows_one_by_one();
    int ***b = one_block();
    float **m = matrix();
    struct grid g = {rows_one_by_one(), PLANES};
    int step;
#pragma cppc init
#pragma cppc register(step, deep(a), deep(b), deep(g), deep(m))
    for (step = 1; step <= 6; step++) {
#pragma cppc checkpoint
        for (int k = 0; k < PLANES; k++)
            for (int j = 0; j < ROWS; j++)
                for (int i = 0; i < COLUMNS; i++) {
                    a[k][j][i] += step * (k + 1.5) + i;
                    b[k][j][i] += (step << k) + j;
                    g.cell[k][j][i] = a[k][j][i] - 2 * g.cell[PLANES - 1 - k][j][i];
                }
        for (int i = LOW; i < LOW + ROWS; i++)
            for (int j = LOW; j < LOW + COLUMNS; j++)
                m[i][j] = m[i][j] / 2 + i * step + j;
        if (step == 3) { /* rows change places, and one is replaced */
            double *row = a[0][1];
            a[0][1] = a[2][3];
            a[2][3] = row;
            free(a[1][0]);
            a[1][0] = calloc(2 * COLUMNS, sizeof *a[1][0]);
        }
    }
    for (int k = 0; k < PLANES; k++)
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++)
                printf("%g %d %g\n", a[k][j][i], b[k][j][i], g.cell[k][j][i]);
    for (int i = LOW; i < LOW + ROWS; i++)
        printf("%g %g\n", m[i][LOW], m[i][LOW + COLUMNS - 1]);
    printf("%d %d\n", b[0][0] + ROWS * COLUMNS == b[1][0], m[LOW] + COLUMNS == m[LOW + 1]);
#pragma cppc shutdown
    return 0;
}
