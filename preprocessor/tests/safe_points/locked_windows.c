/* verdict: safe */
/* Each process changes the memory of another one. All processes synchronise before and after the checkpoint. */
/* mutation: MPI_Win_unlock(right, window);\n        MPI_Barrier(MPI_COMM_WORLD); => MPI_Win_unlock(right, window); => not safe */
/* mutation: x += 1;\n        MPI_Barrier(MPI_COMM_WORLD); => x += 1; => not safe */
/* mutation: MPI_Win_unlock(right, window); => => not safe */
#include <mpi.h>

static double memory[4];

int main(int argc, char **argv)
{
    int rank, size, right, i;
    double x = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (i = 0; i < 10; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
        MPI_Accumulate(&x, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, MPI_SUM, window);
        MPI_Win_unlock(right, window);
        MPI_Barrier(MPI_COMM_WORLD);
#pragma cppc checkpoint
        x += 1;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
