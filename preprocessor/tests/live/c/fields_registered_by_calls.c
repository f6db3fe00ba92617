/* Each call of `keep` registers a field that its parameter points to. On the heap, the runtime keeps only the register of the last
 * call, unless another register saves the memory. Static memory, and `saved`, keep the registers of all calls. All calls with
 * `chosen` pass the same pointer.
 * reports: lost[i].x, pair[i%2].x
 * all: nothing
 */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    double x;
    int n;
};

static struct cell *lost, *saved, *pair, *only, *chosen, cells[4];

static void keep(struct cell *p)
{
#pragma cppc register(p->x)
    p->x += 1;
}

static void keep_saved(struct cell *p)
{
#pragma cppc register(p->x)
    p->x += 1;
}

static void keep_static(struct cell *p)
{
#pragma cppc register(p->x)
    p->x += 1;
}

static void keep_two(struct cell *p)
{
#pragma cppc register(p->x)
    p->x += 1;
}

static void keep_one(struct cell *p)
{
#pragma cppc register(p->x)
    p->x += 1;
}

static void keep_chosen(struct cell *p)
{
#pragma cppc register(p->x)
    p->x += 1;
}

static struct cell *fallback(void)
{
    struct cell *found = calloc(3, sizeof *found);
    return found;
}

int main(int argc, char **argv)
{
    int i, k;
    chosen = argc > 1 ? calloc(argc, sizeof *chosen) : fallback();
    lost = calloc(4, sizeof *lost);
    saved = calloc(4, sizeof *saved);
    pair = calloc(2, sizeof *pair);
    only = calloc(1, sizeof *only);
#pragma cppc init
#pragma cppc register(i, k, saved[4])
    for (k = 0; k < 5; k++) {
        for (i = 0; i < 4; i++)
            keep(&lost[i]);
        for (i = 0; i < 4; i++)
            keep_saved(&saved[i]);
        for (i = 0; i < 4; i++)
            keep_static(&cells[i]);
        keep_two(&pair[0]);
        keep_two(&pair[1]);
        keep_one(only);
        keep_chosen(chosen);
#pragma cppc checkpoint
        for (i = 0; i < 4; i++)
            printf("%g %g %g %g %g %g\n", lost[i].x, saved[i].x, cells[i].x, pair[i % 2].x, only->x, chosen->x);
    }
#pragma cppc shutdown
    return 0;
}
