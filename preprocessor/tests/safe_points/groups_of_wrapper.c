/* verdict: unknown
 * mutation: for (t = 0; t < 3; t++) => => safe
 * A wrapper creates the communicators of several groups, so that the processes may be at different ones. */
#include <mpi.h>
static void create(MPI_Group group, MPI_Comm *part)
{
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, part);
}
int main(int argc, char **argv)
{
    int rank, t, x = 1, ranks[2] = {0, 2};
    MPI_Group all, some;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some);
    for (t = 0; t < 3; t++)
        if (rank != 1) create(some, &part);
    for (t = 0; t < 4; t++) {
#pragma cppc checkpoint
        MPI_Allreduce(&t, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
