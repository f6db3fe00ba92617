/* Heap memory is registered through a parameter, and a restart gives it another address. Pointers that were set before
 * `init` or in a block have the old address.
 * reports: *before, *in_block
 */
#include <stdio.h>
#include <stdlib.h>

static double *in_block;

static void step(double *p, int n)
{
    int i;
#pragma cppc register(p[n])
#pragma cppc checkpoint
    for (i = 0; i < n; i++)
        p[i] += 1;
}

static double all_steps(double *p, int n)
{
    int k;
    double sum = 0;
#pragma cppc register(p[n], k, sum)
    for (k = 0; k < n; k++) {
#pragma cppc checkpoint
        p[k] += 1;
        sum = sum + p[k];
    }
    return p[0];
}

int main(void)
{
    int k;
    double *before = malloc(4 * sizeof *before), *alone = calloc(4, sizeof *alone);
    double *known = malloc(4 * sizeof *known);
#pragma cppc init
#pragma cppc execute
    in_block = malloc(4 * sizeof *in_block);
#pragma cppc end execute
    for (k = 0; k < 4; k++)
        before[k] = in_block[k] = known[k] = k;
#pragma cppc register(k, known[4])
    for (k = 0; k < 2; k++) {
        step(before, 4);
        step(in_block, 4);
        step(known, 4);
        printf("%g %g %g\n", before[1], in_block[1], known[1]);
    }
    printf("%g\n", all_steps(alone, 4));
#pragma cppc shutdown
    free(alone);
    return 0;
}
