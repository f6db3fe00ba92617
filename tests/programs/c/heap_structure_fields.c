/* Exercises: a structure on the heap with heap arrays in it, reached through pointers two levels
 * deep, registered whole together with what its pointers point to. */
#include <stdlib.h>

#include "check.h"

typedef struct {
    int n;
    double *u, *f;
} Level;

typedef struct {
    int levels;
    Level *level;
    double residual;
} Grid;

static Grid *build(int levels)
{
    Grid *grid = malloc(sizeof *grid);
    grid->levels = levels;
    grid->residual = 1.0;
    grid->level = malloc((size_t)levels * sizeof *grid->level);
    return grid;
}

static void relax(Level *level, double *residual)
{
    int k;
    for (k = 0; k < level->n; k++) {
        level->u[k] = 0.5 * (level->u[k] + level->f[(k + 1) % level->n]);
        *residual += level->u[k] * 0.01;
    }
}

int main(void)
{
    Grid *grid;
    Level *fine, *coarse;
    int i, k;

#pragma cppc init
    grid = build(2);
    fine = &grid->level[0];
    coarse = &grid->level[1];
    fine->n = 8;
    coarse->n = 4;
    fine->u = calloc(8, sizeof(double));
    fine->f = calloc(8, sizeof(double));
    coarse->u = calloc(4, sizeof(double));
    coarse->f = calloc(4, sizeof(double));
    for (k = 0; k < 8; k++)
        fine->f[k] = k;
    for (k = 0; k < 4; k++)
        coarse->f[k] = k * 2;
#pragma cppc register(i, *grid, grid->level[2], fine[1], coarse[1])
#pragma cppc register(fine->u[8], fine->f[8], coarse->u[4], coarse->f[4])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        relax(fine, &grid->residual);
        relax(coarse, &grid->residual);
        fine->f[i] += coarse->u[i % 4];
        show("fine", i, sum_reals(sum_reals(SUM_START, fine->u, 8), fine->f, 8));
        show("coarse", i, sum_reals(SUM_START, grid->level[1].u, 4));
        printf("%d %.17g %d\n", grid->levels, grid->residual, coarse == grid->level + 1);
    }
    free(fine->u);
    free(fine->f);
    free(coarse->u);
    free(coarse->f);
    free(grid->level);
    free(grid);
#pragma cppc shutdown
    return 0;
}
