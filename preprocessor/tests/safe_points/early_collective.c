/* verdict: safe
 * mutation: if (rank == 0) early(&x); => if (rank == 0) { x = s; MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); } => not safe
 * mutation: if (rank != 0) late(&x); => if (rank != 0) MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); => not safe
 * mutation: if (rank == 0) early(&x); => if (rank == 0) early(&x); else late(&x); => safe
 * mutation: if (rank == 0) early(&x); => if (rank == 0) MPI_Barrier(MPI_COMM_SELF); => safe
 * mutation: if (rank == 0) early(&x); => if (rank == 0) MPI_Barrier(MPI_COMM_WORLD); else MPI_Barrier(MPI_COMM_WORLD); => safe
 * mutation: if (rank == 0) early(&x); => if (rank % 2) MPI_Barrier(half); => safe
 * mutation: if (rank == 0) early(&x); => if (rank == 2) MPI_Barrier(half); => not safe
 * mutation: MPI_Barrier(half); => MPI_Reduce(&x, &s, 1, MPI_INT, MPI_SUM, 0, half); => safe
 * Every process has made the same collective operations at a checkpoint. */
#include <mpi.h>
static void early(int *x) { *x += 1; }
static void late(int *x) { *x -= 1; }
int main(int argc, char **argv)
{
    int rank, s, t, x = 0;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (t = 0; t < 4; t++) {
        s = t;
        if (rank == 0) early(&x);
        MPI_Barrier(half);
#pragma cppc checkpoint
        if (rank != 0) late(&x);
    }
    MPI_Finalize();
    return 0;
}
