/* Exercises: several files: globals that another file defines are registered here, a structure type
 * comes from a header, the loop is here and the checkpoint in the other file. */
#include <stdlib.h>

#include "check.h"
#include "grid.h"

int main(void)
{
    int k;

#pragma cppc init
    grid.n = 6;
    grid.cells = malloc(6 * sizeof *grid.cells);
    for (k = 0; k < 6; k++)
        grid.cells[k] = k + 1;
#pragma cppc register(grid.n, grid.cells[grid.n], grid.at, turns, history)
    for (turns = 0; turns < 5; turns++) {
        double change = sweep(&grid, 0.5 + 0.1 * turns);
        history[turns % HISTORY] = change;
        printf("%d %.17g\n", turns, change);
        show("cells", turns, sum_reals(SUM_START, grid.cells, (size_t)grid.n));
        show("history", turns, sum_bytes(SUM_START, history, sizeof history));
    }
    free(grid.cells);
#pragma cppc shutdown
    return 0;
}
