/*
 * passes: C0807
 * processes: 2
 * A request is open in the whole loop.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    double x = 1, y = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&y, 1, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 10; i++)
        x = x + i;
    MPI_Send(&x, 1, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d %g %g\n", rank, x, y);
    MPI_Finalize();
    return 0;
}
