/* After `unregister`, a restart restores neither the pointers nor the memory, and the program reads all of them. Nothing
 * restores the null pointer either.
 * reports: x, y */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double *x, *y;
    int i, n = 4;

#pragma cppc init
    x = malloc(n * sizeof *x);
    y = malloc(n * sizeof *y);
    x[0] = 1;
    y[0] = 2;
#pragma cppc register(i, x[n], y[n])
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
#pragma cppc unregister(x[], y[])
        if (x != NULL && i == 3) {
            free(x);
            x = NULL;
        }
        if (x != NULL)
            x[0] += i;
    }
#pragma cppc shutdown
    printf("%g\n", y[0]);
    return 0;
}
