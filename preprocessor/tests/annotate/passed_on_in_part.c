/* Memory that a pointer passes on to others. If one of them gets no register of the whole memory, the first pointer keeps its
 * register. */
#include <stdio.h>
#include <stdlib.h>

static double fixed[9], *stored;

static void store(double *values)
{
    stored = values;
}

int main(int argc, char **argv)
{
    double *chosen, *some = calloc(9, sizeof *some), *many = calloc(9, sizeof *many), *cursor, sum = 0;
    int step;

    if (argc > 1)
        chosen = fixed;
    else
        chosen = some;
    cursor = many;
    cursor[0] = 1;
    store(many);
    for (step = 0; step < 9; step++) {
#pragma cppc checkpoint
        chosen[step] += step;
        sum += chosen[step / 2] + stored[0];
    }
    printf("%g %s\n", sum, argv[0]);
    return 0;
}
