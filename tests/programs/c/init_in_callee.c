/* Exercises: `init` in a procedure that `main` calls, two levels down, with frames open above it;
 * what ran before it runs again. */
#include <stdlib.h>

#include "check.h"

static int size;

static void start(int *argc, char ***argv)
{
    int local = size + 1;
#pragma cppc init
    size = local + (*argc > 0) + ((*argv)[0] != NULL);
}

static double *setup(int argc, char **argv)
{
    double *field;
    int k;
    start(&argc, &argv);
#pragma cppc register(size)
    field = malloc((size_t)size * sizeof *field);
    for (k = 0; k < size; k++)
        field[k] = k * 0.5;
    return field;
}

int main(int argc, char **argv)
{
    double *field;
    int i, before = 7;

    size = before;
    field = setup(argc, argv);
#pragma cppc register(i, field[size])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        field[i % size] += field[(i + 1) % size] * before;
        show("field", i, sum_reals(SUM_START, field, (size_t)size));
    }
    free(field);
#pragma cppc shutdown
    return 0;
}
