/* Exercises: `deep` of memory in which the program does not set some pointers and numbers. The allocator returns memory that
 * contains old addresses. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct curve { int points; char *comment; double *x; double unused[3]; };

/* Fills memory with addresses and frees it. */
static void leave_addresses(size_t count, size_t bytes)
{
    void *held[8];
    for (size_t k = 0; k < count; k++) {
        char **words = malloc(bytes);
        for (size_t word = 0; word < bytes / sizeof *words; word++)
            words[word] = (char *)words + 1;
        held[k] = words;
    }
    for (size_t k = 0; k < count; k++)
        free(held[k]);
}

int main(void)
{
    struct curve *curves = NULL;
    int step;

#pragma cppc init
    leave_addresses(8, 4 * sizeof *curves);
    leave_addresses(8, 9 * sizeof *curves);
    curves = malloc(4 * sizeof *curves);
    for (int k = 0; k < 4; k++)
        curves[k].points = 0;
#pragma cppc register(step, deep(curves))
    for (step = 0; step < 5; step++) {
#pragma cppc checkpoint
        struct curve *curve = &curves[step];
        if (step == 3)
            curves = realloc(curves, 9 * sizeof *curves);
        curve = &curves[step];
        curve->points = step + 1;
        curve->x = malloc((size_t)curve->points * sizeof *curve->x);
        for (int k = 0; k < curve->points; k++)
            curve->x[k] = step + k / 4.0;
        Sum sum = sum_int(SUM_START, step);
        for (int k = 0; k <= step; k++)
            sum = sum_reals(sum, curves[k].x, (size_t)curves[k].points);
        show("unset", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
