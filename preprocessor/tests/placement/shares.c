#include <mpi.h>

/* Only with some numbers of processes, all processes make the same number of steps. */
int main(int argc, char **argv)
{
    int rank, size, i, share;
    double x = 1;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    share = 48 / size + (rank < 48 % size);
#pragma cppc register(i, x, share)
#pragma cppc checkpoint loop
    for (i = 0; i < share; i++)
        x = x + i;
#pragma cppc shutdown
    MPI_Finalize();
    return x > 1 ? 0 : 1;
}
