/* reports: part */
#include <stdlib.h>
#include <string.h>

static double step(int n, double x)
{
    double *heap = malloc(n * sizeof *heap), sum = 0;
    int k;
    for (k = 0; k < n; k++)
        heap[k] = x + k;
    for (k = 0; k < n; k++)
        sum += heap[k];
    free(heap);
    return sum;
}

int main(void)
{
    double whole[40], part[40], x = 1;
    int i, k;
#pragma cppc init
#pragma cppc register(i, x)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        for (k = 0; k < 40; k++)
            whole[k] = x * k;
        memset(part, 0, 39 * sizeof *part);
        for (k = 0; k < 40; k++)
            x += whole[k] + part[k];
        for (k = 0; k < 40; k++)
            part[k] = x;
        x += step(7, x);
    }
#pragma cppc shutdown
    return x > 1;
}
