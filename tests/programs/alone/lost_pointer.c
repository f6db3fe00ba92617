/* A call that a resume would have to repeat gets a pointer to memory that is not registered, and that is freed: nothing is
 * written from there on. */
#include <stdio.h>
#include <stdlib.h>

static double made[3], total;

static void set(const double *from, int at)
{
#pragma cppc execute capture(at)
    made[at] = *from;
#pragma cppc end execute
}

static void work(int step)
{
    double *scratch;
#pragma cppc checkpoint
    if (step == 1) {
        scratch = malloc(sizeof *scratch);
        *scratch = step;
        set(scratch, step);
        free(scratch);
    }
#pragma cppc checkpoint
    total += made[1] + step;
}

int main(void)
{
    int step;

#pragma cppc init
#pragma cppc register(step, total)
    for (step = 0; step < 4; step++) {
        work(step);
        printf("%d %g\n", step, total);
    }
#pragma cppc shutdown
    return 0;
}
