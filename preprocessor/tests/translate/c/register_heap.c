/* Memory of the heap: a pointer and the number of elements. */
#include <stdlib.h>

void work(int n)
{
    double *u = malloc(n * sizeof *u);

#pragma cppc register(n, u[n])
#pragma cppc checkpoint
    free(u);
}
