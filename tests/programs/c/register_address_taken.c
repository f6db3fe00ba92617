/* Exercises: automatic scalars that the caller registers and whose address it also hands to a
 * procedure with the checkpoint, which changes them there: what the callee wrote must win over what
 * the caller saved before the call. */
#include "check.h"

static void advance(int *n, double *sum)
{
    int k;
#pragma cppc register(k)
    for (k = 0; k < 3; k++) {
        *n += 1;
        *sum = *sum * 1.5 + k;
#pragma cppc checkpoint
        *sum += *n;
    }
}

int main(void)
{
    int i, n = 0;
    double sum = 1.0;

#pragma cppc init
#pragma cppc register(i, n, sum)
    for (i = 0; i < 3; i++) {
        advance(&n, &sum);
        printf("%d %d %.17g\n", i, n, sum);
    }
#pragma cppc shutdown
    return 0;
}
