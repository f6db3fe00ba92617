/* Static variables that their procedure registers before it uses them, in procedures that run only after the checkpoint.
 * `late` is registered in a branch, and `other` not at all.
 * reports: other
 * all: late, other
 */
#include <stdio.h>

static int noise(void)
{
    static int seed = 7;
#pragma cppc register(seed)
    static int other;
    seed = seed * 5 + ++other;
    return seed;
}

static int count(void)
{
    static int late;
    late++;
    if (late > 3) {
#pragma cppc register(late)
        return 1;
    }
    return late;
}

int main(void)
{
    int i, sum = 0;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += noise() - count();
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
