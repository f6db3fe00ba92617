/* Exercises: several checkpoints in several procedures and phases, one right after another, one
 * right after `init`, one right before `shutdown`, phases that register and unregister. */
#include <stdlib.h>

#include "check.h"

static double *field;
static int points = 8;

static void assemble(void)
{
    int k;
#pragma cppc register(k)
    for (k = 0; k < points; k += 3) {
        field[k] = k * 1.5;
#pragma cppc checkpoint
#pragma cppc checkpoint
        field[k] += 1;
    }
}

static double solve(double target)
{
    double residual = 10;
    int k;
#pragma cppc register(residual)
    while (residual > target) {
#pragma cppc checkpoint
        for (k = 1; k < points; k++)
            field[k] = 0.5 * (field[k] + field[k - 1]);
        residual *= 0.5;
    }
    return residual;
}

int main(void)
{
    double residual;

#pragma cppc init
#pragma cppc checkpoint
    field = calloc((size_t)points, sizeof *field);
#pragma cppc register(field[points])
#pragma cppc checkpoint
    assemble();
    show("assembled", 0, sum_reals(SUM_START, field, 8));
    residual = solve(2.0);
#pragma cppc register(residual)
#pragma cppc checkpoint
    show("solved", 1, sum_real(sum_reals(SUM_START, field, 8), residual));
    residual += solve(0.5);
    show("again", 2, sum_real(sum_reals(SUM_START, field, 8), residual));
#pragma cppc unregister(field)
    free(field);
#pragma cppc checkpoint
    printf("%.17g\n", residual);
#pragma cppc checkpoint
#pragma cppc shutdown
    printf("end\n");
    return 0;
}
