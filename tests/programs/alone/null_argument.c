/* A call that leads to a checkpoint gets a pointer to memory that is not registered, and that it reads only before the
 * checkpoint: in a restart the pointer is null, and a message reports it. */
#include <stdio.h>
#include <stdlib.h>

static double total;

static void work(const double *once, int step)
{
    total += once[0] + step;
#pragma cppc checkpoint
    total *= 1.5;
}

int main(void)
{
    int step;

#pragma cppc init
#pragma cppc register(step, total)
    for (step = 0; step < 4; step++) {
        double *scratch;
        scratch = malloc(sizeof *scratch);
        scratch[0] = 0.25 * step;
        work(scratch, step);
        printf("%d %g\n", step, total);
        fflush(stdout);
    }
#pragma cppc shutdown
    return 0;
}
