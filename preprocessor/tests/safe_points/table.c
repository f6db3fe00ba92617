/* verdict: safe */
/* mutation: near[1 - k], k => near[1 - k], 1 - k => not safe */
/* mutation: near[1 - k], k => near[k], k => not safe */
/* mutation: k < 2; k++)\n            MPI_Send => k < 1; k++)\n            MPI_Send => unsafe */
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
    int near[2];
    for (int k = 0; k < 2; k++)
        near[k] = (rank + size + 2 * k - 1) % size;
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++)
            MPI_Irecv(&y, 1, MPI_DOUBLE, near[k], k, MPI_COMM_WORLD, &r[k]);
        for (int k = 0; k < 2; k++)
            MPI_Send(&x, 1, MPI_DOUBLE, near[1 - k], k, MPI_COMM_WORLD);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
