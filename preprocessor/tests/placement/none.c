#include <mpi.h>

/* What is in transit is never nothing. */
int main(int argc, char **argv)
{
    int rank, size, i;
    double x = 1, y = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc register(x, y)
    MPI_Irecv(&y, 1, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &request);
#pragma cppc checkpoint loop
    for (i = 0; i < 10; i++)
        x = x + i;
    MPI_Send(&x, 1, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma cppc shutdown
    MPI_Finalize();
    return x > 1;
}
