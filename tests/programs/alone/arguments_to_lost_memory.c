/* At some checkpoints, a parameter that is registered without elements points to memory that is not registered, and whose size is
 * not known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double fixed[4] = { 1, 2, 3, 4 };

static double work(const double *v)
{
    double local[2] = { 5, 6 }, sum = 0, *block, *other;
    void *unaligned;
    int step;
#pragma cppc execute
    other = calloc(3, sizeof *other);
    unaligned = malloc(12);
    if (!other || !unaligned) exit(1);
#pragma cppc end execute
    block = calloc(10, sizeof *block);
    if (!block) exit(1);
#pragma cppc register(v[0], block[], step, sum)
    for (step = 0; step < 7; step++) {
        switch (step) {
        case 1: v = local; break;
        case 2: v = other + 1; break;
        case 3: v = unaligned; memset(unaligned, 0, 12); break;
        case 4: v = block + 10; break;
        case 5: free(other); v = other; break;
        case 6: v = block + 2; break;
        }
#pragma cppc checkpoint
        if (step != 4 && step != 5) sum += v[0];
    }
    return sum;
}

int main(void)
{
    double sum;
#pragma cppc init
    sum = work(fixed);
    printf("%g\n", sum);
#pragma cppc shutdown
    return 0;
}
