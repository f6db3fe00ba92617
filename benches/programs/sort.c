/* Ranks of integer keys by counting, time and again with changed keys; the checkpoint is in the loop
 * over the iterations. */
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS (1 << 11)
#define SHIFT 6

static unsigned next_key(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1 << 18, iterations = argc > 2 ? atoi(argv[2]) : 1500;
    int most = 1 << 17;
    int *keys, *sorted, *ranks;
    unsigned seed = 314159265u;
    long check = 0;
    int it, k;

#pragma cppc init
    keys = malloc((size_t)count * sizeof *keys);
    sorted = malloc((size_t)count * sizeof *sorted);
    ranks = malloc((size_t)most * sizeof *ranks);
    for (k = 0; k < count; k++)
        keys[k] = (int)(next_key(&seed) % (unsigned)most);
#pragma cppc register(it, check, count, most, keys[count], sorted[count], ranks[most])
    for (it = 0; it < iterations; it++) {
        int starts[BUCKETS], sum;
#pragma cppc checkpoint
        keys[it % count] = it % most;
        keys[(it + iterations) % count] = most - 1 - it % most;
        for (k = 0; k < BUCKETS; k++)
            starts[k] = 0;
        for (k = 0; k < count; k++)
            starts[keys[k] >> SHIFT]++;
        for (sum = 0, k = 0; k < BUCKETS; k++) {
            int here = starts[k];
            starts[k] = sum;
            sum += here;
        }
        for (k = 0; k < count; k++)
            sorted[starts[keys[k] >> SHIFT]++] = keys[k];
        for (k = 0; k < most; k++)
            ranks[k] = 0;
        for (k = 0; k < count; k++)
            ranks[sorted[k]]++;
        for (k = 1; k < most; k++)
            ranks[k] += ranks[k - 1];
        check += ranks[(it * 97) % most] + sorted[(it * 31) % count];
    }
    printf("%ld\n", check);
    free(keys);
    free(sorted);
    free(ranks);
#pragma cppc shutdown
    return 0;
}
