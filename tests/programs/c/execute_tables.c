/* Exercises: state that is not registered but made again by execute blocks: a table on the heap in
 * each turn of a set-up loop, with captures; the same values captured twice leave one block. */
#include <stdlib.h>

#include "check.h"

#define TABLES 4

static double *tables[TABLES];
static int sizes[TABLES];

int main(void)
{
    int i, size, k, round;
    double sum = 0;

#pragma cppc init
    for (round = 0; round < 2; round++) {
        for (i = 0; i < TABLES; i++) {
            size = 3 + i * i;
#pragma cppc execute capture(i, size)
            free(tables[i]);
            sizes[i] = size;
            tables[i] = malloc((size_t)size * sizeof *tables[i]);
            for (k = 0; k < size; k++)
                tables[i][k] = i + 1.0 / (k + 1);
#pragma cppc end execute
        }
    }
#pragma cppc register(i, sum)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        for (k = 0; k < sizes[i % TABLES]; k++)
            sum = sum * 0.5 + tables[i % TABLES][k];
        printf("%d %d %.17g\n", i, sizes[i % TABLES], sum);
    }
    for (i = 0; i < TABLES; i++)
        free(tables[i]);
#pragma cppc shutdown
    return 0;
}
