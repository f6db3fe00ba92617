/* Exercises: a procedure with many calls that register memory, in a loop that declares the pointer in their arguments. If all
 * jumps of its translation go to one label, each further call makes gcc 12 take half as long again to compile it. */
#include <stdlib.h>

#include "check.h"

enum { FIELDS = 30, LENGTH = 12 };

typedef struct { double *at[FIELDS]; int first, last; } chunk;

static chunk chunks[2];

static void allocate(double **field, int first, int last)
{
    int k;

    *field = malloc((size_t)(last - first + 1) * sizeof **field);
    if (*field == NULL)
        exit(1);
#pragma cppc register((*field)[last - first + 1])
    for (k = 0; k <= last - first; k++)
        (*field)[k] = k * 0.5;
}

static void build(int count)
{
    int t;

    for (t = 0; t < count; t++) {
        chunk *c = &chunks[t];
        c->last = LENGTH - 1 - t;
        allocate(&c->at[0], c->first, c->last + 1);
        allocate(&c->at[1], c->first, c->last + 2);
        allocate(&c->at[2], c->first, c->last + 1);
        allocate(&c->at[3], c->first, c->last + 2);
        allocate(&c->at[4], c->first, c->last + 1);
        allocate(&c->at[5], c->first, c->last + 2);
        allocate(&c->at[6], c->first, c->last + 1);
        allocate(&c->at[7], c->first, c->last + 2);
        allocate(&c->at[8], c->first, c->last + 1);
        allocate(&c->at[9], c->first, c->last + 2);
        allocate(&c->at[10], c->first, c->last + 1);
        allocate(&c->at[11], c->first, c->last + 2);
        allocate(&c->at[12], c->first, c->last + 1);
        allocate(&c->at[13], c->first, c->last + 2);
        allocate(&c->at[14], c->first, c->last + 1);
        allocate(&c->at[15], c->first, c->last + 2);
        allocate(&c->at[16], c->first, c->last + 1);
        allocate(&c->at[17], c->first, c->last + 2);
        allocate(&c->at[18], c->first, c->last + 1);
        allocate(&c->at[19], c->first, c->last + 2);
        allocate(&c->at[20], c->first, c->last + 1);
        allocate(&c->at[21], c->first, c->last + 2);
        allocate(&c->at[22], c->first, c->last + 1);
        allocate(&c->at[23], c->first, c->last + 2);
        allocate(&c->at[24], c->first, c->last + 1);
        allocate(&c->at[25], c->first, c->last + 2);
        allocate(&c->at[26], c->first, c->last + 1);
        allocate(&c->at[27], c->first, c->last + 2);
        allocate(&c->at[28], c->first, c->last + 1);
        allocate(&c->at[29], c->first, c->last + 2);
    }
}

int main(void)
{
    double sum = 0;
    int i, k;

#pragma cppc init
#pragma cppc register(sum, i, chunks)
    build(2);
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        for (k = 0; k < FIELDS; k++)
            sum += chunks[i % 2].at[k][i] += k * 0.25;
        show("sum", i, sum_reals(SUM_START, &sum, 1));
    }
#pragma cppc shutdown
    return 0;
}
