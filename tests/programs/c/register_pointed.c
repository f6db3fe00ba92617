/* Exercises: `*s->p`, `**pp` and `*(a[k].p)` as items: one element that a pointer field leads to, into registered memory or
 * not, which moves, and may be null before the restart has set it. */
#include <stdlib.h>

#include "check.h"

typedef struct node {
    double z;
    struct node *next;
} node;

typedef struct {
    node *base, *start;
    const double *seen;
    int *own;
} tree;

static int *spare, **spares = &spare;

int main(void)
{
    tree *t = calloc(1, sizeof *t), local = {0};
    int step, i, n = 5;
    t->base = calloc(n, sizeof(node));

#pragma cppc init
    for (i = 0; i < n; i++) {
        t->base[i].z = i;
        t->base[i].next = &t->base[(i + 1) % n];
    }
    t->start = &t->base[2];
    t->seen = &t->base[1].z;
    t->own = malloc(sizeof *t->own);
    *t->own = 7;
    spare = malloc(sizeof *spare);
    *spare = 1;
    local.start = t->start;
#pragma cppc register(step, t->base[n], *t->start, *t->seen, *t->own)
#pragma cppc register(*(local.start), spare[1])
    for (step = 0; step < 6; step++) {
#pragma cppc checkpoint
        t->start = t->start->next;
        t->base[step % n].z += *t->seen + *t->own + **spares;
        if (step % 2)
            t->seen = &t->base[step % n].z;
        *t->own += 2;
        *spare += step;
        local.start = local.start->next->next;
        printf("%d %g %g %d %d %g\n", step, t->start->z, *t->seen, *t->own, *spare, local.start->z);
    }
#pragma cppc shutdown
    return 0;
}
