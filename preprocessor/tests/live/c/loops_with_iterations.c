/* A counted loop sets `last`. The condition of the other loop may be false at once.
 * reports: found
 * all: found, last */
#include <stdio.h>

int main(int argc, char **argv)
{
    double u[8] = { 1, 2, 3 }, last, found;
    int i, k, n = argc;
    (void)argv;
#pragma cppc init
    last = found = 0;
#pragma cppc register(i, n, u)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        for (k = 0; k < n; k++)
            last = u[k] += 1;
        k = 0;
        while (u[k] > 2)
            found = u[k++];
        printf("%g %g\n", last, found);
    }
#pragma cppc shutdown
    return 0;
}
