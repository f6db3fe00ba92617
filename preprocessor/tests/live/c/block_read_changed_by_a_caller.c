/* `level` is registered, but `main` changes it after the block has run.
 * reports: level */
#include <stdio.h>

static int level = 1;
static double chosen[8];

static void choose(void)
{
#pragma cppc execute
    chosen[level] = 0.5;
#pragma cppc end execute
}

int main(void)
{
    int step;
#pragma cppc init
#pragma cppc register(level)
    choose();
#pragma cppc register(step)
    for (step = 0; step < 3; step++) {
        level = level + 1;
#pragma cppc checkpoint
        printf("%g\n", chosen[1] + level);
    }
#pragma cppc shutdown
    return 0;
}
