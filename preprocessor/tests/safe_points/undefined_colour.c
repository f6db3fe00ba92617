/* verdict: safe
 * mutation: MPI_Barrier(part); => MPI_Barrier(MPI_COMM_WORLD); => not safe
 * mutation: rank < 2 ? 0 : MPI_UNDEFINED => rank < 2 ? 0 : MPI_UNDEFINED, rank, &part); if (rank == 0) MPI_Comm_split(MPI_COMM_WORLD, 1 => unsafe
 * Processes with the colour MPI_UNDEFINED get no communicator. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, t, x = 1;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &part);
    for (t = 0; t < 4; t++) {
        if (rank < 2)
            MPI_Barrier(part);
#pragma cppc checkpoint
        MPI_Allreduce(&t, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
