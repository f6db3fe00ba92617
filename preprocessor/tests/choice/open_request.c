#include <mpi.h>

/* A request is open in the whole loop. */
int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, y = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&y, 1, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 1000; i++)
        x = x + i;
    MPI_Send(&x, 1, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return x > 1;
}
