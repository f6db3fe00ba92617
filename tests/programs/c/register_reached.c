/* Exercises: what pointers lead to by way of others: parameters, a global, a pointer in a structure. Arrays
 * that lie one behind the other, with pointers to where they touch. */
#include <stdlib.h>

#include "check.h"

typedef struct {
    double x[3];
    int hits;
} Body;

typedef struct {
    Body *body;
    double mass;
} Owner;

static Body first, second, *chosen = &first;
static struct {
    double low[4], high[4];
    double *from, *to;
} pair;

static void push(Body *body, Owner *owner, int turns)
{
    int i;

#pragma cppc register(i, body->x, body->hits, owner->body->hits, owner->mass)
    for (i = 0; i < turns; i++) {
#pragma cppc checkpoint
        body->x[i % 3] += owner->mass * (i + 1);
        body->hits++;
        owner->body->hits += 2;
        owner->mass *= 1.25;
    }
}

int main(void)
{
    static Owner owner = {NULL, 0.5};
    Body *pool;
    int i;

    owner.body = &second;
#pragma cppc init
    pool = calloc(2, sizeof *pool);
#pragma cppc register(i, first, pool[2], pair, pair.low, chosen->hits)
    pair.from = pair.low;
    pair.to = pair.low + 4;
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        push(&pool[i % 2], &owner, 2);
        if (pair.from == pair.to)
            pair.from = pair.low;
        *pair.from++ += i + chosen->hits;
        pair.high[i % 4] -= i;
        chosen->hits++;
        show("first", i, sum_int(sum_reals(SUM_START, first.x, 3), first.hits));
        show("pool", i, sum_bytes(sum_int(SUM_START, second.hits), pool, 2 * sizeof *pool));
        show("pair", i, sum_int(sum_reals(sum_reals(SUM_START, pair.low, 4), pair.high, 4), pair.to - pair.from));
        printf("%g\n", owner.mass);
    }
    free(pool);
#pragma cppc shutdown
    return 0;
}
