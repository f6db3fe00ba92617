/* Exercises: a procedure with an execute block that a set-up loop calls with `i * 2`: each call
 * leaves its block behind and comes back with its own argument; other calls of the same procedure
 * stand elsewhere, and one call leaves nothing. */
#include <stdlib.h>

#include "check.h"

static char *labels[16];

static void prepare(int slot, int letter)
{
    if (slot < 0)
        return;
    {
        int k;
#pragma cppc execute
        free(labels[slot]);
        labels[slot] = malloc(4);
        for (k = 0; k < 3; k++)
            labels[slot][k] = (char)(letter + k);
        labels[slot][3] = '\0';
#pragma cppc end execute
    }
}

static void prepare_pair(int base)
{
    prepare(base, 'a' + base);
    prepare(base + 1, 'A' + base);
}

int main(void)
{
    int i;
    Sum sum = SUM_START;

#pragma cppc init
    for (i = 0; i < 5; i++)
        prepare(i * 2, 'k' + i);
    prepare(-1, 'x');
    prepare_pair(1);
    prepare_pair(11);
    prepare(2, 's');
#pragma cppc register(i, sum)
    for (i = 0; i < 6; i++) {
        int k;
#pragma cppc checkpoint
        for (k = 0; k < 16; k++)
            if (labels[k] != NULL)
                sum = sum_bytes(sum_int(sum, k), labels[k], 4);
        printf("%d %s %016llx\n", i, labels[(i * 2) % 10], sum);
        prepare(12 + i % 3, 'm' + i);
    }
    for (i = 0; i < 16; i++)
        free(labels[i]);
#pragma cppc shutdown
    return 0;
}
