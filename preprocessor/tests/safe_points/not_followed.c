/* verdict: safe */
/* The procedure with the checkpoint is called by its name. Behind a pointer that is not known, or in a recursion, nothing is
 * known about its checkpoint. */
/* mutation: work(3); => procedure(3); => not safe */
/* mutation: x += 1; => x += 1; if (depth > rank) work(depth - 1); => not safe */
/* mutation: work(3); => if (rank == 0) work(3); => unsafe */
/* mutation: work(3); => if (rank == 0) for (i = 0; i < 100; i++) MPI_Send(&x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); else work(3); => not safe */
#include <mpi.h>

static int rank;
static double x;

static void work(int depth)
{
#pragma cppc checkpoint
    x += 1;
}

static void other(int depth) { x += depth; }

int main(int argc, char **argv)
{
    int i, steps;
    void (*procedure)(int);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    procedure = rank > 0 ? work : other;
    for (steps = 0; steps < 4; steps++) {
        work(3);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
