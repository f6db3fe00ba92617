/* Memory that procedures of the program allocate and return. */
#include <stdio.h>
#include <stdlib.h>

static size_t total;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    total += bytes;
    return memory;
}

static double *vector(int n)
{
    return allocate(n * sizeof(double));
}

int main(void)
{
    int n = 8, step;
    double *kept = vector(n), *scratch = vector(n);
    int *counts;

    counts = (int *)allocate(n * sizeof *counts);
    for (int k = 0; k < n; k++)
        kept[k] = counts[k] = k;
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        for (int k = 0; k < n; k++)
            scratch[k] = 2 * kept[k];
        for (int k = 0; k < n; k++)
            kept[k] += scratch[n - 1 - k] + counts[k];
    }
    printf("%g %zu\n", kept[3], total);
    free(scratch);
    free(counts);
    return 0;
}
