/* Exercises: items reached through a parameter (`*n`, `*sum`), whose memory is the caller's
 * automatic variable. The caller registers nothing. */
#include "check.h"

static void advance(int *n, double *sum, int steps)
{
#pragma cppc register(*n, *sum)
    while (*n < steps) {
#pragma cppc checkpoint
        *sum = *sum * 1.25 + *n;
        ++*n;
        printf("%d %.17g\n", *n, *sum);
    }
}

int main(void)
{
    int n = 0;
    double sum = 0.5;

#pragma cppc init
    advance(&n, &sum, 5);
#pragma cppc shutdown
    printf("end %d %.17g\n", n, sum);
    return 0;
}
