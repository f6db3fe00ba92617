/* Exercises: pointers right behind the last element: of an array of its own, which moves in a resume,
 * and of the parts of one allocation, where the next part begins. */
#include <stdlib.h>

#include "check.h"

#define PARTS 3
#define COUNT 10

typedef struct {
    double *begin, *end;
} Span;

static double sum(const Span *span)
{
    const double *p;
    double total = 0;
    int steps = 0;
    /* A pointer that has come loose must not run away with the test. */
    for (p = span->begin; p != span->end && steps < 1000; p++, steps++)
        total = total * 0.75 + *p;
    return total + steps;
}

int main(void)
{
    double *first, *second, *third, *own, *walker, *stop, *last;
    Span spans[PARTS + 1];
    int i, k;

#pragma cppc init
    first = malloc(PARTS * COUNT * sizeof *first);
    second = first + COUNT;
    third = second + COUNT;
    own = malloc(COUNT * sizeof *own);
    for (k = 0; k < PARTS * COUNT; k++)
        first[k] = k;
    for (k = 0; k < COUNT; k++)
        own[k] = 0.25 * k;
    for (k = 0; k < PARTS; k++) {
        spans[k].begin = first + k * COUNT;
        spans[k].end = spans[k].begin + COUNT;
    }
    spans[PARTS].begin = walker = own;
    spans[PARTS].end = stop = own + COUNT;
    last = third + COUNT;
#pragma cppc register(i, own[COUNT], first[COUNT], second[COUNT], third[COUNT], spans)
#pragma cppc register(walker[0], stop[0], last[0])
    for (i = 0; i < 14; i++) {
#pragma cppc checkpoint
        if (walker != stop)
            *walker++ += i;
        else
            walker = own;
        for (k = 0; k < PARTS + 1; k++)
            *spans[k].begin += sum(&spans[k]) * 0.125;
        if (i == 7)
            spans[1].end = last;
        printf("%d %d %d %d %d\n", i, (int)(walker - own), (int)(stop - own), (int)(third - second), (int)(last - first));
        show("all", i, sum_reals(sum_reals(SUM_START, first, PARTS * COUNT), own, COUNT));
    }
    free(first);
    free(own);
#pragma cppc shutdown
    return 0;
}
