/* Exercises: collectives between checkpoints: broadcast, reductions, gather, scatter, all-to-all,
 * scan; state that differs from rank to rank.
 *
 * processes: 4
 */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

int main(int argc, char **argv)
{
    int rank, size, i, k;
    double mine[4], all[16], total = 0, running = 0;
    int numbers[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc init
    for (k = 0; k < 4; k++) {
        mine[k] = rank + 0.1 * k;
        numbers[k] = rank * 10 + k;
    }
#pragma cppc register(i, mine, numbers, total, running)
    for (i = 0; i < 4; i++) {
        double sum;
        int sent[4];
#pragma cppc checkpoint
        MPI_Allreduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += all[0] * all[3];
        MPI_Allgather(mine, 4, MPI_DOUBLE, all, 4, MPI_DOUBLE, MPI_COMM_WORLD);
        for (k = 0; k < 4; k++)
            mine[k] = 0.5 * mine[k] + 0.25 * all[(rank * 4 + 4 + k) % (4 * size)];
        MPI_Alltoall(numbers, 1, MPI_INT, sent, 1, MPI_INT, MPI_COMM_WORLD);
        for (k = 0; k < 4; k++)
            numbers[k] = sent[k] * 3 % 101 + i;
        MPI_Scan(&mine[1], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        running += sum;
        MPI_Bcast(&sum, 1, MPI_DOUBLE, i % size, MPI_COMM_WORLD);
        running -= sum * 0.125;
        printf("%d %d %.17g %.17g %d\n", rank, i, total, running, numbers[i]);
    }
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
