/* verdict: safe */
/* mutation: k < 2; k++)\n            MPI_Waitany => k < 1; k++)\n            MPI_Waitany => not safe */
/* mutation: MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE); => MPI_Waitany(1, r, &which, MPI_STATUS_IGNORE); => unsafe */
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
    MPI_Request r[2];
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        int k, which;
        for (k = 0; k < 2; k++)
            MPI_Irecv(&y, 1, MPI_DOUBLE, (rank + size - 1) % size, k, MPI_COMM_WORLD, &r[k]);
        for (k = 0; k < 2; k++)
            MPI_Send(&x, 1, MPI_DOUBLE, (rank + 1) % size, k, MPI_COMM_WORLD);
        for (k = 0; k < 2; k++)
            MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
