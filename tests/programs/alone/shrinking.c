/* Exercises: ten megabytes of what shrinks and what does not, so that a state file has pieces packed and
 * plain, whatever packs them. */
#include <stdlib.h>

#include "check.h"

#define COUNT 400000

static double zeros[COUNT], field[COUNT];
static unsigned char noise[8 * COUNT];

int main(void)
{
    int *indices, i, k;
    unsigned long long seed = 88172645463325252ULL;

#pragma cppc init
    indices = malloc(COUNT * sizeof *indices);
    for (k = 0; k < COUNT; k++) {
        indices[k] = k / 3;
        field[k] = k % 1000 * 0.125;
    }
#pragma cppc register(i, seed, zeros, field, noise, indices[COUNT])
    for (i = 0; i < 4; i++) {
        for (k = 0; k < 8 * COUNT; k++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            noise[k] = (unsigned char)(seed >> 40);
        }
        for (k = 1; k < COUNT; k++) {
            field[k] = 0.5 * (field[k] + field[k - 1]);
            indices[k] += i;
        }
        zeros[i] = i;
#pragma cppc checkpoint
        show("all", i, sum_bytes(sum_bytes(sum_reals(sum_reals(SUM_START, zeros, COUNT), field, COUNT), noise,
                                           sizeof noise), indices, COUNT * sizeof *indices));
    }
    free(indices);
#pragma cppc shutdown
    return 0;
}
