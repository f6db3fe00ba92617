/* Exercises: registers inside branches and loops, some of them never reached, some again with
 * another size; what is registered at a checkpoint depends on the path that led there. */
#include <stdlib.h>

#include "check.h"

int main(void)
{
    double *even = NULL, *odd = NULL, *never = NULL;
    int evens = 0, odds = 0, i, k;
    Sum sum = SUM_START;

#pragma cppc init
#pragma cppc register(i, evens, odds, sum)
    for (i = 0; i < 7; i++) {
        if (i % 2 == 0) {
            even = realloc(even, (size_t)(evens + 2) * sizeof *even);
            even[evens++] = i;
            even[evens++] = i * 0.5;
#pragma cppc register(even[evens])
        } else if (i < 100) {
            odd = realloc(odd, (size_t)(odds + 1) * sizeof *odd);
            odd[odds++] = i * 0.25;
#pragma cppc register(odd[odds])
        } else {
            never = malloc(sizeof *never);
#pragma cppc register(never[1])
            never[0] = 1;
        }
#pragma cppc checkpoint
        for (k = 0; k < evens; k++)
            even[k] *= 1.5;
        sum = sum_reals(sum, even, (size_t)evens);
        if (odds > 0)
            sum = sum_reals(sum, odd, (size_t)odds);
        show("path", i, sum);
    }
    free(even);
    free(odd);
    if (i > 100)
        free(never);
#pragma cppc shutdown
    return 0;
}
