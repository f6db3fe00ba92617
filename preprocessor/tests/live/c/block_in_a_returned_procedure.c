/* A restart replays the block after `make` has returned, and the registers of its local variables have ended.
 * reports: size */
#include <stdio.h>
#include <stdlib.h>

static double *table;

static void make(int count)
{
    int size = 2 * count;
#pragma cppc register(size)
#pragma cppc execute
    table = calloc(size, sizeof *table);
#pragma cppc end execute
}

int main(void)
{
    int step;
#pragma cppc init
    make(5);
#pragma cppc register(step)
    for (step = 0; step < 3; step++) {
#pragma cppc checkpoint
        printf("%g\n", table[step]);
    }
#pragma cppc shutdown
    return 0;
}
