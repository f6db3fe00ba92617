/* verdict: safe */
/* mutation: rank > 0 => rank > 1 => unsafe */
/* mutation: rank < size - 1 => rank < size - 2 => not safe */
/* mutation: k < 3 => k < rank => unsafe */
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
        for (int k = 0; k < 3; k++) {
            if (rank > 0)
                MPI_Recv(&y, 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank < size - 1)
                MPI_Send(&x, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
        }
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
