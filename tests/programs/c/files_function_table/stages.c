/* The stages; the second one has no checkpoint. */
#include "stages.h"

static int grow(struct work *work, int by)
{
    int k;
#pragma cppc register(k)
    for (k = 0; k <= by; k++) {
#pragma cppc checkpoint
        work->value *= 1.25;
    }
    return k;
}

static int count(struct work *work, int by)
{
    work->turn += by;
    return work->turn;
}

static int shrink(struct work *work, int by)
{
    work->value -= by;
#pragma cppc checkpoint
    return 10;
}

const struct stage stages[] = {{"grow", grow}, {"count", count}, {"shrink", shrink}};
const int stage_count = 3;
