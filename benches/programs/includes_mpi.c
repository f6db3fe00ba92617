/* A small file with a large header, as most files of an MPI program are. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double sum_of(const double *values, int n)
{
    double sum = 0.0;
    int k;
    for (k = 0; k < n; k++)
        sum += values[k];
    return sum;
}

int main(int argc, char **argv)
{
    double *values, local, all = 0.0;
    int rank, n = 1000, i, k;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
    values = malloc((size_t)n * sizeof *values);
    for (k = 0; k < n; k++)
        values[k] = rank + k;
#pragma cppc register(i, all, values[n])
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        local = sum_of(values, n);
        MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        values[i] = all;
    }
    printf("%.17g\n", all);
    free(values);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
