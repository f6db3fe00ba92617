/* verdict: safe */
/* mutation: MPI_Wait(&r, MPI_STATUS_IGNORE); =>  => unsafe */
#include <mpi.h>
#include <stdlib.h>
#include <math.h>

int main(int argc, char **argv)
{
    int rank, size, i, n = argc > 1 ? atoi(argv[1]) : 10;
    double x = 1, y = 0, sum = 0;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request r;
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        MPI_Iallreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
