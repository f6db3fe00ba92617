/* Exercises: calls that lead to a checkpoint in the target of a computed `goto`. */
#include "check.h"

static int calls;

static int chosen(int x)
{
    int twice = 2 * x;
#pragma cppc register(x, twice)
    calls++;
#pragma cppc checkpoint
    printf("%d %d %d\n", x, twice, calls);
    return (x + twice) % 4;
}

static int run(int value)
{
    static const void *const targets[] = {&&add, &&subtract, &&multiply, &&stop};
    int turns = 0;
#pragma cppc register(turns, value)
    goto *targets[chosen(value)];
add:
    value += chosen(value) + 1;
    if (turns++ < 4)
        goto *targets[chosen(value + turns)];
    goto *(turns > 3 ? targets[3] : targets[chosen(turns)]);
subtract:
    value -= 2;
multiply:
    value *= 3;
    if (turns++ > 5)
        goto *targets[3];
    else
        goto *targets[chosen(turns)];
stop:
    return value % 100;
}

int main(void)
{
    int step, sum = 0;

#pragma cppc init
#pragma cppc register(step, sum, calls)
    for (step = 0; step < 3; step++) {
        sum += run(step);
        printf("%d %d\n", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
