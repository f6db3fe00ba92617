/* verdict: unsafe
 * mutation: if (rank == 0) MPI_Comm => if (rank == 1) MPI_Comm => not safe
 * mutation: if (rank == 0) MPI_Comm => if (rank == 0) MPI_Barrier(MPI_COMM_SELF); if (rank < 2) MPI_Comm => not safe
 * A process of a group creates the communicator before a checkpoint, and another one after it. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x = 1, ranks[2] = {0, 1};
    MPI_Group all, some;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some);
    if (rank == 0) MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &part);
#pragma cppc checkpoint
    if (rank == 1) MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &part);
    MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
