/* Exercises: arrays of several dimensions: declared, of variable length, what pointers to arrays and plain pointers lead to,
 * fields, rows of pointers, arrays of structures and of texts, names for parts of them. Each element begins as its number
 * in memory; `writers` looks at the shapes in state files. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define ROWS 3

struct cell {
    int id;
    double at[2];
};

struct world {
    int rows, columns;
    double *flat;
    float fixed[2][5];
    int (*wide)[6];
};

static int table[2][ROWS][4];
static struct world world;

static void fill_doubles(double *values, int count)
{
    int k;
    for (k = 0; k < count; k++)
        values[k] = k;
}

static void fill_ints(int *values, int count)
{
    int k;
    for (k = 0; k < count; k++)
        values[k] = k;
}

static void grow(double *values, int count)
{
    int k;
    for (k = 0; k < count; k++)
        values[k] += 1000;
}

static void run(int n, int m, double given[n][m])
{
    double plane[n][m];
    double (*rows)[m] = NULL;
    double local[4][3], *flat, *lists[2], *tall, *second;
    struct cell cells[2][2];
    char names[3][8] = {"first", "second", "third"};
    int step, k;

    rows = malloc(sizeof(double) * (size_t)(n * m));
    flat = malloc(sizeof(double) * (size_t)(n * m));
    lists[0] = malloc(sizeof(double) * 12);
    lists[1] = malloc(sizeof(double) * 6);
    memset(cells, 0, sizeof cells);
    fill_doubles(&plane[0][0], n * m);
    fill_doubles(&rows[0][0], n * m);
    fill_doubles(&local[0][0], 12);
    fill_doubles(flat, n * m);
    fill_doubles(lists[0], 12);
    fill_doubles(lists[1], 6);
    for (k = 0; k < 4; k++)
        cells[k / 2][k % 2].id = k;
    tall = flat;
    second = flat + m;
#pragma cppc register(given[n], plane, rows[n], flat[n][m], tall[m][n], second[m], lists[0][3][4], lists[1][2][3])
#pragma cppc register(local, cells, names, table, world.flat[world.rows][world.columns], world.fixed, world.wide[2], step)
    for (step = 0; step < 6; step++) {
#pragma cppc checkpoint
        Sum sum = sum_reals(SUM_START, flat, (size_t)(n * m));
        grow(&given[0][0], n * m);
        grow(&plane[0][0], n * m);
        grow(&rows[0][0], n * m);
        grow(&local[0][0], 12);
        grow(flat, n * m);
        grow(lists[0], 12);
        grow(lists[1], 6);
        grow(world.flat, world.rows * world.columns);
        for (k = 0; k < 24; k++)
            table[k / 12][k / 4 % 3][k % 4] += 1000;
        for (k = 0; k < 10; k++)
            world.fixed[k / 5][k % 5] += 1000;
        for (k = 0; k < 12; k++)
            world.wide[k / 6][k % 6] += 1000;
        for (k = 0; k < 4; k++)
            cells[k / 2][k % 2].id += 1000;
        names[step % 3][7] = (char)('a' + step);
        sum = sum_bytes(sum, names, sizeof names);
        sum = sum_bytes(sum, table, sizeof table);
        sum = sum_reals(sum, &plane[0][0], (size_t)(n * m));
        sum = sum_reals(sum, &given[0][0], (size_t)(n * m));
        sum = sum_reals(sum, &rows[0][0], (size_t)(n * m));
        sum = sum_reals(sum, lists[1], 6);
        sum = sum_real(sum, tall[3] + second[1] + local[2][1] + world.flat[3] + cells[1][0].id);
        show("run", step, sum_int(sum, world.wide[1][2]));
    }
#pragma cppc unregister(flat[n][m], rows, tall, second, lists[0], lists[1])
    free(rows);
    free(flat);
    free(lists[0]);
    free(lists[1]);
}

int main(void)
{
    double given[2][5];
    int k;

#pragma cppc init
    fill_doubles(&given[0][0], 10);
    fill_ints(&table[0][0][0], 24);
    world.rows = 3;
    world.columns = 7;
    world.flat = malloc(sizeof(double) * 21);
    world.wide = malloc(2 * sizeof *world.wide);
    fill_doubles(world.flat, 21);
    fill_ints(&world.wide[0][0], 12);
    for (k = 0; k < 10; k++)
        world.fixed[k / 5][k % 5] = (float)k;
    run(2, 5, given);
#pragma cppc shutdown
    return 0;
}
