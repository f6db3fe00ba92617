#include <mpi.h>

/* The request is open, except between the wait and the next receive. */
static double x = 1, y;
static int rank, size;
static MPI_Request request;

static void receive(void)
{
    MPI_Irecv(&y, 1, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &request);
}

int main(int argc, char **argv)
{
    int i;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc register(x, y)
    receive();
#pragma cppc checkpoint loop
    for (i = 0; i < 10; i++) {
        MPI_Send(&x, 1, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        x = x + y;
        receive();
    }
    MPI_Send(&x, 1, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma cppc shutdown
    MPI_Finalize();
    return x > 1;
}
