/* Exercises: buffers that swap in a callee through a structure, with the checkpoint between two
 * swaps one level further down; the pointers are fields of an automatic structure of `main`. */
#include <stdlib.h>

#include "check.h"

struct buffers {
    double *front, *back;
    int length;
};

static void rest(struct buffers *b, int phase)
{
#pragma cppc checkpoint
    b->front[phase % b->length] += 0.5;
}

static void step(struct buffers *b, int i)
{
    double *t;
    int phase;
#pragma cppc register(phase)
    for (phase = 0; phase < 3; phase++) {
        int k;
        for (k = 0; k < b->length; k++)
            b->back[k] = b->front[(k + i + 1) % b->length] * 0.875 + phase;
        t = b->front;
        b->front = b->back;
        b->back = t;
        rest(b, phase);
    }
}

int main(void)
{
    struct buffers b = {NULL, NULL, 6};
    int i;

#pragma cppc init
    b.front = calloc(6, sizeof(double));
    b.back = calloc(6, sizeof(double));
    b.front[2] = 4;
#pragma cppc register(i, b.front[6], b.back[6])
    for (i = 0; i < 3; i++) {
        step(&b, i);
        show("front", i, sum_reals(SUM_START, b.front, 6));
        show("back", i, sum_reals(SUM_START, b.back, 6));
    }
    free(b.front);
    free(b.back);
#pragma cppc shutdown
    return 0;
}
