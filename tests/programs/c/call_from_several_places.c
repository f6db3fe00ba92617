/* Exercises: one procedure with a checkpoint that is called from several places of one caller, from
 * several callers, and from itself through another; each place must be found again. */
#include "check.h"

static double value = 1.0;

static void tick(int weight)
{
    value = value * 1.01 + weight;
#pragma cppc checkpoint
    value -= 0.001 * weight;
}

static void twice(int weight)
{
    tick(weight);
    tick(weight + 1);
}

static void chain(int depth)
{
    tick(depth);
    if (depth > 0)
        chain(depth - 1);
    else
        twice(50);
    tick(-depth);
}

int main(void)
{
    int i;

#pragma cppc init
#pragma cppc register(i, value)
    tick(1);
    for (i = 0; i < 2; i++) {
        tick(2);
        if (i == 0)
            twice(10);
        else
            tick(3);
        chain(2);
        printf("%d %.17g\n", i, value);
    }
    tick(4);
    twice(20);
    printf("%.17g\n", value);
#pragma cppc shutdown
    return 0;
}
