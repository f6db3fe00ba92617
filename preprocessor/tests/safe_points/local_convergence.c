/* verdict: safe */
/* The loop ends when a value that all processes know is small enough. The first iteration is known. */
/* mutation: MPI_MAX, MPI_COMM_WORLD => MPI_MAX, half => not safe */
/* mutation: MPI_Allreduce(&x, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); => error = x; => not safe */
/* mutation: MPI_Allreduce(&x, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); => error -= MPI_Wtime(); => not safe */
/* mutation: MPI_Allreduce(&x, &error => MPI_Reduce(&x, &error => not safe */
/* mutation: while (error > 0.01) { => for (;;) { if (error <= 0.01) break; => safe */
/* mutation: while (error > 0.01) { => for (;;) { if (x <= 0.01) break; => not safe */
/* mutation: while (error > 0.01) { => while (error > 0.01) { if (x <= 0.01) return 1; => not safe */
/* mutation: while (error > 0.01) { => while (error > 0.01 && k++ < 100) { => safe */
/* mutation: while (error > 0.01) { => while (x > 0.01 && k++ < 100) { => not safe */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, i, k = 0;
    double x, sum, error;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    x = rank + 1;
    for (i = 0; i < 5; i++) {
        error = 1;
        while (error > 0.01) {
#pragma cppc checkpoint
            x *= rank % 2 ? 0.5 : 0.3;
            MPI_Allreduce(&x, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = sum / 7;
    }
    MPI_Finalize();
    return 0;
}
