#include <mpi.h>

/* Only process 0 runs the loop. */
int main(int argc, char **argv)
{
    int rank, i;
    double x = 1;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc register(x)
    if (rank == 0) {
#pragma cppc checkpoint loop
        for (i = 0; i < 10; i++)
            x = x + i;
    }
#pragma cppc shutdown
    MPI_Finalize();
    return x > 1 ? 0 : 1;
}
