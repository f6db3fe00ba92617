/* Its `count`, `state` and `step` are its own. */
#include "parts.h"

static int count = 100;
static float state;

static double step(int i)
{
    int k;
#pragma cppc register(count, state, k)
    for (k = 0; k < 2; k++) {
#pragma cppc checkpoint
        count -= 3;
        state = state * 0.5f + (float)(count + i);
    }
    return state;
}

double left_part(int i)
{
    return step(i) + count;
}
