/* Exercises: a size that is an expression of variables (`matrix[rows*cols]`): the variables are
 * registered by themselves, and are needed after the resume. */
#include <stdlib.h>

#include "check.h"

int main(void)
{
    double *matrix;
    int rows, cols, i, r, c;

#pragma cppc init
    rows = 5;
    cols = 3;
    matrix = malloc((size_t)(rows * cols) * sizeof *matrix);
    for (i = 0; i < rows * cols; i++)
        matrix[i] = 1.0 / (i + 1);

#pragma cppc register(i, matrix[rows*cols])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        for (r = 0; r < rows; r++)
            for (c = 0; c < cols; c++)
                matrix[r * cols + c] += matrix[((r + 1) % rows) * cols + c] * 0.25;
        show("matrix", i, sum_reals(SUM_START, matrix, (size_t)(rows * cols)));
    }
    free(matrix);
#pragma cppc shutdown
    return 0;
}
