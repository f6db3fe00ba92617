/* Exercises: an array of row pointers into one block, declared and on the heap; pointers are kept
 * as block and offset, null ones as null. */
#include <stdlib.h>

#include "check.h"

#define ROWS 4
#define COLS 3

int main(void)
{
    double *cells, **rows;
    double *columns[COLS + 1];
    int i, r, c;

#pragma cppc init
    cells = malloc(ROWS * COLS * sizeof *cells);
    rows = malloc(ROWS * sizeof *rows);
    for (r = 0; r < ROWS; r++) {
        rows[r] = cells + r * COLS;
        for (c = 0; c < COLS; c++)
            rows[r][c] = r + 0.1 * c;
    }
    for (c = 0; c < COLS; c++)
        columns[c] = cells + c;
    columns[COLS] = NULL;
#pragma cppc register(i, cells[ROWS * COLS], rows[ROWS], columns)
    for (i = 0; i < 6; i++) {
        double *t;
#pragma cppc checkpoint
        t = rows[i % ROWS];
        rows[i % ROWS] = rows[(i + 1) % ROWS];
        rows[(i + 1) % ROWS] = t;
        for (r = 0; r < ROWS; r++)
            for (c = 0; c < COLS; c++)
                rows[r][c] += 0.5 * columns[c][COLS * ((r + i) % ROWS)];
        if (i % 2)
            columns[COLS] = columns[COLS] == NULL ? cells + i : NULL;
        if (columns[COLS] != NULL)
            *columns[COLS] *= 1.5;
        show("cells", i, sum_reals(SUM_START, cells, ROWS * COLS));
        printf("%d %d\n", (int)(rows[0] - cells), columns[COLS] == NULL);
    }
    free(cells);
    free(rows);
#pragma cppc shutdown
    return 0;
}
