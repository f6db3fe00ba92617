/* Exercises: memory that is allocated before `MPI_Init`, and memory that only one process has.
 *
 * processes: 2
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 10, k, rank, size, step;
    double *u = malloc(n * sizeof *u), sum = 0;

    for (k = 0; k < n; k++)
        u[k] = k;
    MPI_Init(&argc, &argv);
#pragma cppc init
#pragma cppc register(u[])
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x = rank, *all = NULL;
#pragma cppc register(rank, size, x, sum, all[])
    if (rank == 0)
        all = malloc(size * sizeof *all);
    for (step = 0; step < 6; step++) {
#pragma cppc register(step)
#pragma cppc checkpoint
        u[step] += step;
        x += u[step] + u[step / 2];
        MPI_Gather(&x, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0)
            sum += all[size - 1];
        printf("%d %d %g\n", rank, step, sum + x);
    }
    free(all);
    free(u);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
