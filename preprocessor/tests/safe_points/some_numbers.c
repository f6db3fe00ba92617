/* verdict: unknown */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, i;
    double x = 1;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc register(i, x)
    for (i = 0; i < 10; i++) {
        if (rank == 0 && size != 4)
            MPI_Send(&x, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
#pragma cppc checkpoint ranks(4)
        if (rank == 1 && size != 4)
            MPI_Recv(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
#pragma cppc shutdown
    MPI_Finalize();
    return x > 1 ? 0 : 1;
}
