/* Exercises: registered pointers of inner scopes, which point to variables of these scopes or to allocated memory.
 * Later checkpoints are outside of the scopes. */
#include <stdlib.h>

#include "check.h"

static double *kept;

static double walk(int step)
{
    double table[4] = { 1, 2, 3, 4 }, sum = 0;
    int i;

#pragma cppc register(table, sum, i)
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        {
            double *at = table;
#pragma cppc register(at[0])
            while (at != table + 4)
                *at++ += step;
        }
        if (i % 2 == 0) {
            double part[3] = { 0.5, 1.5, 2.5 }, *end = part;
#pragma cppc register(part, end[0])
            end += 3;
#pragma cppc checkpoint
            while (end != part)
                sum += *--end;
        }
        sum += table[i];
    }
    return sum;
}

int main(void)
{
    double total = 0;
    int step;

#pragma cppc init
#pragma cppc register(total, step)
#pragma cppc register(kept[2])
    for (step = 0; step < 4; step++) {
        double own = total, *single = &own;
#pragma cppc register(own, *single)
        if (step == 1) {
            double *made = malloc(2 * sizeof *made);
            made[0] = total;
            made[1] = 7;
#pragma cppc register(made[2])
            kept = made;
        }
#pragma cppc checkpoint
        *single += walk(step);
        total = own + (kept ? kept[0] + kept[1] : 0);
        printf("%d %.17g\n", step, total);
    }
    free(kept);
#pragma cppc shutdown
    return 0;
}
