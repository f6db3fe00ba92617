/* Exercises: fields as items: of a global (`world.nx`), through a pointer parameter (`s->count`),
 * and a heap array that hangs from a field (`s->data[s->count]`). */
#include <stdlib.h>

#include "check.h"

struct world {
    int nx, ny;
    double gravity;
};

typedef struct {
    int count;
    double *data;
    double total;
} Series;

static struct world world = {3, 4, 9.81};

static void relax(Series *s)
{
    int step, k;
#pragma cppc register(world.nx, world.gravity, s->count, s->data[s->count], s->total, step)
    for (step = 0; step < 5; step++) {
#pragma cppc checkpoint
        for (k = 0; k < s->count; k++)
            s->data[k] = 0.5 * s->data[k] + world.gravity * (k + world.nx);
        s->total += s->data[step % s->count];
        world.nx++;
        world.gravity *= 1.01;
        show("relax", step, sum_real(sum_reals(SUM_START, s->data, (size_t)s->count), s->total));
    }
}

int main(void)
{
    Series series = {0, NULL, 0.0};
    int k;

#pragma cppc init
    series.count = 7;
    series.data = malloc(7 * sizeof *series.data);
    for (k = 0; k < 7; k++)
        series.data[k] = k;
    relax(&series);
    printf("%d %d %.17g %.17g\n", world.nx, series.count, world.gravity, series.total);
    free(series.data);
#pragma cppc shutdown
    return 0;
}
