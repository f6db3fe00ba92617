/* Exercises: registers of null pointers, of no elements, of an array that is freed (pointer set to
 * null), and of one that comes later. */
#include <stdlib.h>

#include "check.h"

int main(void)
{
    double *late = NULL, *early, *empty = NULL;
    int i, k, n = 0;

#pragma cppc init
    early = malloc(5 * sizeof *early);
    for (k = 0; k < 5; k++)
        early[k] = k + 0.5;
#pragma cppc register(i, n, late[n], early[5], empty[0])
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        if (i == 1) {
            n = 4;
            late = malloc((size_t)n * sizeof *late);
            for (k = 0; k < n; k++)
                late[k] = early[k] * 2;
#pragma cppc register(late[n])
        }
        if (i == 3) {
            free(early);
            early = NULL;
        }
        if (late != NULL)
            late[i % n] += i;
        printf("%d %d %d %.17g %.17g\n", i, early == NULL, late == NULL,
               early == NULL ? 0.0 : early[i], late == NULL ? 0.0 : late[i % n]);
    }
    free(late);
    free(empty);
#pragma cppc shutdown
    return 0;
}
