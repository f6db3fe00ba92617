/* verdict: safe */
/* mutation: MPI_ANY_SOURCE, 7 => MPI_ANY_SOURCE, MPI_ANY_TAG => unknown */
/* mutation: (rank + 1) % size, 7 => (rank / 2) % size, 7 => not safe */
/* mutation: MPI_Finalize() => if (rank == 1) MPI_Send(&x, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD); MPI_Finalize() => not safe */
/* mutation: MPI_Finalize() => MPI_Send(&x, 1, MPI_DOUBLE, rand() % size, 7, MPI_COMM_WORLD); MPI_Finalize() => unknown */
/* mutation: i % every => y > 0 => unknown */
#include <mpi.h>
#include <stdlib.h>
#include <math.h>

int main(int argc, char **argv)
{
    int rank, size, i, n = argc > 1 ? atoi(argv[1]) : 10, every = argc > 2 ? atoi(argv[2]) : 3;
    double x = 1, y = 0, sum = 0;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request request;
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        MPI_Irecv(&y, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
        MPI_Send(&x, 1, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (i % every == 0)
            MPI_Allreduce(&y, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
