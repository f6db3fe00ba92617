/* Exercises: pointers that move within heap memory, which another pointer owns: in the procedure, in a called one, and in a
 * structure. */
#include <stdio.h>
#include <stdlib.h>

struct window {
    double *low;
    int size;
};

static void step_on(double **pointer)
{
    ++*pointer;
}

int main(void)
{
    int n = 12, i, k;
    double *block = malloc(n * sizeof *block), *place = block, *through = block + 4, sum = 0;
    double *cells = calloc(2 * n + 1, sizeof *cells), *centre = cells + n;
    struct window window;

    for (k = 0; k < n; k++)
        block[k] = k * 0.5;
    window.low = cells;
    window.size = n;
#pragma cppc init
#pragma cppc register(n, i, sum, block[n], place[0], through[0], cells[2 * n + 1], centre[0], window)
    for (i = 0; i < 6; i++) {
        place++;
        step_on(&through);
        window.low += 2;
        centre[i] = centre[-i] = i;
#pragma cppc checkpoint
        sum += place[-1] + through[-1] + window.low[-1] + centre[-i];
        block[n - 1 - i] += sum;
        printf("%d %g %ld %ld\n", i, sum, (long)(place - block), (long)(window.low - cells));
    }
    free(place - 6);
    free(centre - n);
#pragma cppc shutdown
    return 0;
}
