/* Exercises: line ends of another system in a source with calls to take out, loops to open up and
 * spliced directives; they stay what they are. */
#include "check.h"

static int step(int *state, int by)
{
#pragma cppc register(by)
#pragma cppc checkpoint
    *state = *state * 7 % 101 + by;
    return *state;
}

int main(void)
{
    int i, state = 3, total = 0;

#pragma cppc init
#pragma cppc register(i, \
                      state, \
                      total)
    for (i = 0; i < 5; i++) {
        total += step(&state, i) +
                 step(&state, 2 * i);
        if (step(&state, 1) % 2)
            total++;
        else
            /* nothing to add */
            total -= state;
        printf("%d %d %d\n", i, state, total);
    }
#pragma cppc shutdown
    return 0;
}
