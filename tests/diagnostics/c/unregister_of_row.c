/* A row is named without the number of its elements, which names the array of rows. */
#include <stdlib.h>

int main(void)
{
    double **rows = malloc(2 * sizeof *rows);
    int r, n = 2, i;
#pragma cppc init
#pragma cppc register(rows[n], r, i)
    for (r = 0; r < n; r++) {
        rows[r] = calloc(4000, sizeof **rows);
#pragma cppc register(rows[r][4000])
    }
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        rows[0][i] += i;
    }
    for (r = 0; r < n; r++) {
#pragma cppc unregister(rows[r][4000])
#pragma cppc unregister(rows[r])
//                      ~~~~~~~ error[C0447] this unregisters `rows`, not one of its rows
        free(rows[r]);
    }
#pragma cppc unregister(rows[n])
#pragma cppc unregister(rows)
    free(rows);
#pragma cppc shutdown
    return 0;
}
