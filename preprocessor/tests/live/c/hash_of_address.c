/* A restart gives other addresses, so a number that is computed from their bits chooses another element.
 * reports: kept, keys, sums, table */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

static struct node *table[8], *again[8], pool[4];
static unsigned long keys[4], kept;
static double sums[16], aligned[64];
static uintptr_t saved;

static unsigned slot_of(const void *key)
{
    return (unsigned)(((uintptr_t)key >> 4) * 2654435761u) % 8;
}

static unsigned mixed(const void *key)
{
    uintptr_t bits = (uintptr_t)key;
    bits ^= bits >> 33;
    bits *= 0xff51afd7ed558ccd;
    return bits & 15;
}

int main(void)
{
    int t, i;
    double sum = 0, *buffer;

#pragma cppc init
    buffer = malloc(80 * sizeof *buffer);
    for (i = 0; i < 80; i++)
        buffer[i] = i;
    for (i = 0; i < 4; i++) {
        table[slot_of(&pool[i])] = &pool[i];
        keys[i] = (uintptr_t)&pool[i] / sizeof pool[0];
        sums[mixed(&pool[i])] += i;
    }
    kept = (uintptr_t)buffer * 31;
    saved = (uintptr_t)buffer;
#pragma cppc register(t, sum, pool, table, keys, sums, kept, buffer[80], aligned, saved)
    for (t = 0; t < 6; t++) {
#pragma cppc checkpoint
        /* An alignment, a distance, a comparison and an output do not depend on the address. */
        size_t skip = (64 - (uintptr_t)buffer % 64) % 64 / sizeof *buffer;
        aligned[((uintptr_t)buffer & 7) + t] = buffer[skip];
        aligned[((uintptr_t)&buffer[t] - (uintptr_t)buffer) / sizeof *buffer] += 1;
        if ((uintptr_t)buffer >> 4 == (uintptr_t)table >> 4)
            printf("%lx\n", (unsigned long)buffer >> 4);
        saved = (saved + 15) & ~(uintptr_t)15;
        /* This table is filled before it is read. */
        memset(again, 0, sizeof again);
        again[slot_of(&pool[t % 4])] = &pool[0];
        sum += aligned[t] + again[0]->value + (table[slot_of(&pool[t % 4])] != NULL);
        sum += keys[t % 4] == (uintptr_t)&pool[t % 4] / sizeof pool[0];
        sum += sums[mixed(&pool[t % 4])] + *(double *)saved;
        if (kept == (uintptr_t)buffer * 31)
            sum += 1;
    }
    printf("%g\n", sum);
#pragma cppc shutdown
    return 0;
}
