/* Its `count` is a structure, its `state` belongs to a procedure. */
#include "parts.h"

static struct {
    int up, down;
} count = {0, 50};

static double step(int i)
{
    static long state[2] = {7, 8};
#pragma cppc register(count, state)
    count.up += i;
    count.down -= count.up;
#pragma cppc checkpoint
    state[i % 2] = state[i % 2] * 3 % 1000 + count.down;
    return state[i % 2];
}

double right_part(int i)
{
    return step(i) * 0.5;
}
