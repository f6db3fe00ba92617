/* Exercises: a pointer to an array type (`double (*grid)[COLS]`), a pointer parameter of a
 * variably modified type, and a typedef of an array. */
#include <stdlib.h>

#include "check.h"

#define COLS 5

typedef int Row[3];

static double sweep(int n, double (*grid)[COLS], double plane[n][n], int step)
{
    double sum = 0;
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            plane[i][j] += grid[i][j] * (step + 1);
            sum += plane[i][j];
        }
    grid[step % n][step % COLS] += 0.125 * sum;
    return sum;
}

static double solve(int n, double (*grid)[COLS], double *plane, Row *marks)
{
    double sum = 0;
    int i;
#pragma cppc register(i, sum, grid[n], plane[n*n], marks[2])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        sum += sweep(n, grid, (double (*)[n])plane, i);
        marks[i % 2][i % 3] += (int)sum;
        printf("%d %.17g %d\n", i, sum, marks[i % 2][i % 3]);
    }
    return sum;
}

int main(void)
{
    double (*grid)[COLS];
    double *plane;
    Row *marks;
    double sum;
    int i, n = 4;

#pragma cppc init
    grid = malloc((size_t)n * sizeof *grid);
    plane = calloc((size_t)(n * n), sizeof *plane);
    marks = calloc(2, sizeof *marks);
    for (i = 0; i < n * COLS; i++)
        grid[i / COLS][i % COLS] = i * 0.5;
#pragma cppc register(n, grid[n], plane[n*n], marks[2])
    sum = solve(n, grid, plane, marks);
    printf("end %.17g %d\n", sum, marks[1][0]);
    free(grid);
    free(plane);
    free(marks);
#pragma cppc shutdown
    return 0;
}
