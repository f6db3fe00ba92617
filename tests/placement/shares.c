/*
 * passes: 6
 * processes: 2
 * warns: C0810
 * excludes: 5
 * Each process makes its share of the steps. With some numbers of processes, the shares are not equal, and so not all
 * processes pass the checkpoint the same number of times.
 */
#include <mpi.h>
#include <stdio.h>

#define STEPS 12
#define N 500

int main(int argc, char **argv)
{
    int rank, size, i, k, share;
    static double x[N];
    double sum = 0, total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    share = STEPS / size;
    if (rank < STEPS % size)
        share++;
    for (i = 0; i < share; i++)
        for (k = 0; k < N; k++) {
            x[k] = 0.5 * x[k] + i + rank + k;
            sum += x[k];
        }
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d processes: %.6f\n", size, total);
    MPI_Finalize();
    return 0;
}
