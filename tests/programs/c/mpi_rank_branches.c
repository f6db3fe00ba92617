/* Exercises: code that differs by rank: only the first rank holds the whole matrix and registers
 * it, each rank calls another procedure with a checkpoint; all pass equally many checkpoints; and
 * only the first rank reads the command line, which moves its `argv` on.
 *
 * processes: 4
 * arguments: 4 words
 */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

#define N 8

static double *whole, part[N];

static void lead(int step, int size)
{
    int k;
    for (k = 0; k < N * size; k++)
        whole[k] = whole[k] * 1.01 + step;
#pragma cppc checkpoint
    whole[step % N] -= 1;
}

static void follow(int step, int rank)
{
    part[step % N] += rank;
#pragma cppc checkpoint
    part[(step + 1) % N] *= 0.5;
}

int main(int argc, char **argv)
{
    int rank, size, step, steps, k;
    double local, total = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        steps = atoi(*++argv);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
#pragma cppc init
    if (rank == 0) {
        whole = malloc((size_t)(N * size) * sizeof *whole);
        for (k = 0; k < N * size; k++)
            whole[k] = k;
#pragma cppc register(whole[N * size])
    }
#pragma cppc register(step, part, total)
    for (step = 0; step < steps; step++) {
        if (rank == 0)
            lead(step, size);
        else
            follow(step, rank);
        MPI_Scatter(whole, N, MPI_DOUBLE, part, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank % 2 == 1) {
            part[0] += rank;
#pragma cppc checkpoint
        } else {
#pragma cppc checkpoint
            part[N - 1] *= 0.75;
        }
        for (local = 0, k = 0; k < N; k++)
            local += part[k];
        MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Gather(part, N, MPI_DOUBLE, whole, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        printf("%d %d %.17g %.17g\n", rank, step, local, total);
    }
    if (rank == 0)
        free(whole);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
