/* verdict: safe
 * mutation: } else if (rank == 1) { => } for (t = 0; t < 1; t++) { MPI_Barrier(MPI_COMM_WORLD); } if (rank == 1) { => safe
 * The processes of a group create the communicator in different branches, before the checkpoint. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, t, x = 1, ranks[2] = {0, 1};
    MPI_Group all, some;
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some);
    if (rank == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &part);
    } else if (rank == 1) {
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &part);
    }
    for (t = 0; t < 4; t++) {
#pragma cppc checkpoint
        if (rank < 2)
            MPI_Barrier(part);
        MPI_Allreduce(&t, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
