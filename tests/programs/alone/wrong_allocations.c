/* At some checkpoints, a pointer that is registered with the size of its allocation does not point to the start of an
 * allocation, or a register has more elements than the allocation has. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static double fixed[4];
    double *start = malloc(10 * sizeof *start), *p = start, *q = malloc(5 * sizeof *q);
    int step, k;
    for (k = 0; k < 5; k++) p[k] = q[k] = k;
#pragma cppc init
#pragma cppc register(step, p[], q[3])
    for (step = 0; step < 8; step++) {
        switch (step) {
        case 1: p = start + 2; break;
        case 2: free(start); p = start; break;
        case 3: p = start = malloc(12); break;
        case 4: free(start); p = fixed; break;
        case 5: p = start = calloc(2, sizeof *p); break;
        case 6: q = realloc(q, sizeof *q); break;
        case 7: q = realloc(q, 3 * sizeof *q); q[1] = q[2] = 7; break;
        }
#pragma cppc checkpoint
        printf("step %d: %g\n", step, q[0]);
    }
    printf("%g %g\n", p[0] + p[1], q[0] + q[1] + q[2]);
#pragma cppc shutdown
    return 0;
}
