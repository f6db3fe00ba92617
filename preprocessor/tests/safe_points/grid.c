/* verdict: safe */
/* mutation: east, 2, grid => west, 2, grid => not safe */
/* mutation: north, 1, grid => north, 2, grid => unsafe */
/* mutation: west, 2, &y => west, 1, &y => not safe */
#include <mpi.h>
#include <stdlib.h>
#include <math.h>

int main(int argc, char **argv)
{
    int rank, size, i, n = argc > 1 ? atoi(argv[1]) : 10;
    double x = 1, y = 0, sum = 0;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm grid;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, north, south, west, east;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &north, &south);
    MPI_Cart_shift(grid, 1, 1, &west, &east);
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, south, 1, &y, 1, MPI_DOUBLE, north, 1, grid, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, west, 2, &y, 1, MPI_DOUBLE, east, 2, grid, MPI_STATUS_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
