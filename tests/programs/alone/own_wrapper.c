/* The program redirects `malloc` itself. */
#include <stdio.h>
#include <stdlib.h>

static int calls;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
    calls++;
    return __real_malloc(size);
}

int main(void)
{
    int step, k, n = 50;
    double *values, *copy;
#pragma cppc init
    values = malloc((size_t)n * sizeof *values);
    for (k = 0; k < n; k++) values[k] = k;
#pragma cppc register(step, calls, values[n])
    for (step = 0; step < 6; step++) {
#pragma cppc checkpoint
        copy = malloc((size_t)n * sizeof *copy);
        for (k = 0; k < n; k++) copy[k] = values[n - 1 - k] + step;
        free(values);
        values = copy;
        /* The libraries of the runtime may call it too. */
        printf("%d: %g, %s\n", step, values[step], calls > step ? "redirected" : "original");
    }
    free(values);
#pragma cppc shutdown
    return 0;
}
