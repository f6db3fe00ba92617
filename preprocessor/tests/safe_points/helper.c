/* verdict: safe */
/* mutation: to, 2, MPI => from, 2, MPI => not safe */
/* mutation:     MPI_Wait(&r, MPI_STATUS_IGNORE); =>  => unsafe */
/* mutation: from, 2, MPI => from, 3, MPI => unsafe */
#include <mpi.h>
#include <stdlib.h>
#include <math.h>

static void exchange(double *out, double *in, int to, int from)
{
    MPI_Request r;
    MPI_Irecv(in, 1, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, &r);
    MPI_Send(out, 1, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, i, n = argc > 1 ? atoi(argv[1]) : 10;
    double x = 1, y = 0, sum = 0;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        exchange(&x, &y, (rank + 1) % size, (rank + size - 1) % size);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
