/* The grid's state and its sweep, with a checkpoint in the middle. */
#include "grid.h"

struct grid grid;
int turns;
double history[HISTORY];

double sweep(struct grid *g, double weight)
{
    double before = mean(g);
    int k;
#pragma cppc register(before, k)
    for (k = 0; k < g->n; k++) {
        g->cells[k] = g->cells[k] * weight + g->cells[(k + 1) % g->n] * (1 - weight);
        if (k == g->n / 2) {
#pragma cppc checkpoint
            g->at.row++;
            g->cells[0] += g->at.row;
        }
    }
    return mean(g) - before;
}
