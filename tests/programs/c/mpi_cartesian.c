/* Exercises: a Cartesian topology and its rows and columns, made in execute blocks; halo exchange
 * with a derived datatype for columns, also made there.
 *
 * processes: 4
 */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

#define N 6
#define AT(i, j) ((i) * (N + 2) + (j))

static MPI_Comm grid, row, column;
static MPI_Datatype column_type;
static int up, down, left, right;

static void make_topology(void)
{
#pragma cppc execute
    int dims[2] = {2, 2}, periods[2] = {1, 0}, rows[2] = {0, 1}, columns[2] = {1, 0};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, rows, &row);
    MPI_Cart_sub(grid, columns, &column);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
#pragma cppc end execute
}

static void exchange(double *u)
{
    MPI_Sendrecv(&u[AT(1, 1)], N, MPI_DOUBLE, up, 0, &u[AT(N + 1, 1)], N, MPI_DOUBLE, down, 0,
                 grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[AT(N, 1)], N, MPI_DOUBLE, down, 1, &u[AT(0, 1)], N, MPI_DOUBLE, up, 1, grid,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[AT(1, 1)], 1, column_type, left, 2, &u[AT(1, N + 1)], 1, column_type, right, 2,
                 grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[AT(1, N)], 1, column_type, right, 3, &u[AT(1, 0)], 1, column_type, left, 3,
                 grid, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    double *u, *next, *t, local, rows, columns;
    int rank, step, i, j;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
    make_topology();
#pragma cppc execute
    MPI_Type_vector(N, 1, N + 2, MPI_DOUBLE, &column_type);
    MPI_Type_commit(&column_type);
#pragma cppc end execute
    u = calloc((N + 2) * (N + 2), sizeof *u);
    next = calloc((N + 2) * (N + 2), sizeof *next);
    for (i = 1; i <= N; i++)
        for (j = 1; j <= N; j++)
            u[AT(i, j)] = rank + i * 0.1 + j * 0.01;
#pragma cppc register(step, u[(N + 2) * (N + 2)], next[(N + 2) * (N + 2)])
    for (step = 0; step < 5; step++) {
#pragma cppc checkpoint
        exchange(u);
        local = 0;
        for (i = 1; i <= N; i++)
            for (j = 1; j <= N; j++) {
                next[AT(i, j)] = 0.25 * (u[AT(i - 1, j)] + u[AT(i + 1, j)] + u[AT(i, j - 1)] +
                                         u[AT(i, j + 1)]);
                local += next[AT(i, j)];
            }
        t = u;
        u = next;
        next = t;
        MPI_Allreduce(&local, &rows, 1, MPI_DOUBLE, MPI_SUM, row);
        MPI_Allreduce(&local, &columns, 1, MPI_DOUBLE, MPI_MAX, column);
        u[AT(1, 1)] += rows * 0.01 - columns * 0.02;
        printf("%d %d %.17g %.17g %.17g\n", rank, step, local, rows, columns);
    }
    free(u);
    free(next);
    MPI_Type_free(&column_type);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Comm_free(&grid);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
