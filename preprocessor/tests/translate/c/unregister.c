/* An item that is not needed any more. */
#include <stdlib.h>

void work(int n)
{
    double *u = malloc(n * sizeof *u);

#pragma cppc register(n, u[n])
#pragma cppc checkpoint
#pragma cppc unregister(u)
    free(u);
#pragma cppc checkpoint
}
