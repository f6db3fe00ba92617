/* Exercises: memory without elements: `malloc(0)`, null and not null in turn, shared by two pointers, and
 * of a parameter. */
#include <stdlib.h>

#include "check.h"

static int steps;

static void nothing(double *values, int count)
{
    int i;
#pragma cppc register(values[count], i)
    for (i = 0; i < 2; i++) {
#pragma cppc checkpoint
        steps += count + (values != NULL);
    }
}

int main(void)
{
    double *empty, *same, *data = NULL, *inside = NULL;
    double local[2] = {1, 2};
    int i, k, count = 5, none = 0;

#pragma cppc init
    empty = malloc(0);
    same = empty;
#pragma cppc register(i, count, none, steps, local)
#pragma cppc register(data[count], inside[none], empty[none], same[none])
    for (i = 0; i < 9; i++) {
#pragma cppc checkpoint
        if (i % 3 == 1) {
            data = malloc(count * sizeof *data);
            for (k = 0; k < count; k++)
                data[k] = k * i;
            inside = data + count - 1;
        }
        if (i % 3 == 0) {
            free(data);
            data = NULL;
            inside = NULL;
        }
        if (inside != NULL)
            *inside += local[i % 2];
        printf("%d %d %d %d\n", i, empty != NULL, same == empty, inside != NULL ? (int)(inside - data) : -1);
        free(empty);
        empty = i % 2 ? malloc(0) : NULL;
        same = i % 4 ? empty : NULL;
        nothing(local, none);
        nothing(data, none);
        printf("%d\n", steps);
        if (data != NULL)
            show("data", i, sum_reals(SUM_START, data, count));
    }
    free(empty);
    free(data);
#pragma cppc shutdown
    return 0;
}
