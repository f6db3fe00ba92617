/* The grid, which one file defines and another registers. */
#ifndef GRID_H
#define GRID_H

enum { HISTORY = 3 };

struct position {
    short row, column;
};

struct grid {
    int n;
    double *cells;
    struct position at;
};

extern struct grid grid;
extern int turns;
extern double history[HISTORY];

double sweep(struct grid *g, double weight);

static inline double mean(const struct grid *g)
{
    double sum = 0;
    int k;
    for (k = 0; k < g->n; k++)
        sum += g->cells[k];
    return sum / g->n;
}

#endif
