/* Exercises: a mirror, which gets time to be copied between two checkpoints. Most of the memory never changes. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

enum { STILL = 40000, MOVING = 500, STEPS = 20 };

int main(int argc, char **argv)
{
    double *still, *moving;
    int i, k;

#pragma cppc init
    still = malloc(STILL * sizeof *still);
    moving = malloc(MOVING * sizeof *moving);
    for (k = 0; k < STILL; k++)
        still[k] = k % 11;
    for (k = 0; k < MOVING; k++)
        moving[k] = k % 7;
#pragma cppc register(i, still[STILL], moving[MOVING])
    for (i = 0; i < STEPS; i++) {
        for (k = 0; k < MOVING; k++)
            moving[k] = 0.5 * moving[(k + 3) % MOVING] + still[(i * 100 + k) % STILL];
#pragma cppc checkpoint
        usleep(25000);
        show("moving", i, sum_reals(SUM_START, moving, MOVING));
    }
    free(still);
    free(moving);
#pragma cppc shutdown
    return 0;
}
