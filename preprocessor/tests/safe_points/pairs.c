/* verdict: safe */
/* mutation: rank - 1, 1, MPI => rank - 1, 2, MPI => unsafe */
/* mutation: rank + 1, 1, MPI => rank - 1, 1, MPI => not safe */
/* mutation: if (rank % 2 == 1) => if (rank % 2 == 2) => unsafe */
/* mutation: if (rank % 2 == 1) => if (y > 3) => unknown */
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
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        if (rank % 2 == 0 && rank + 1 < size)
            MPI_Send(&x, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
        else if (rank % 2 == 1)
            MPI_Recv(&y, 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
