/* Pointers into the memory of one allocation get no register of the whole memory. */
#include <stdio.h>
#include <stdlib.h>

static char *arena;
static size_t used;
static double *values;
static int *counts;

static void *take(size_t bytes)
{
    void *part = arena + used;
    used += (bytes + 15) / 16 * 16;
    return part;
}

int main(void)
{
    arena = calloc(1024, 1);
    values = take(8 * sizeof *values);
    counts = take(9 * sizeof *counts);
    for (int t = 0; t < 8; t++) {
#pragma cppc checkpoint
        values[t] += t;
        counts[t]++;
    }
    printf("%g %d\n", values[3], counts[4]);
    return 0;
}
