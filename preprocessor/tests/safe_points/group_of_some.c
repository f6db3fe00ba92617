/* verdict: safe
 * mutation: if (rank != 1) MPI_Comm_create_group => if (rank == 1) MPI_Barrier(MPI_COMM_WORLD); else MPI_Comm_create_group => not safe
 * Only the processes of a group create its communicator. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, t, x = 1, ranks[2] = {0, 2};
    MPI_Group all, some;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some);
    if (rank != 1) MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &part);
    for (t = 0; t < 4; t++) {
#pragma cppc checkpoint
        MPI_Allreduce(&t, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
