/* verdict: safe */
/* mutation: 0, 1, MPI_DOUBLE, win);\n        MPI_Win_fence(0, win); => 0, 1, MPI_DOUBLE, win); => unsafe */
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
    MPI_Win win;
    MPI_Win_create(&y, sizeof y, sizeof y, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        MPI_Win_fence(0, win);
        MPI_Put(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
