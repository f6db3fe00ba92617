#include <mpi.h>

/* One checkpoint in the time-step loop: where no request is open, and the array is not live. */
static double now[1000], scratch[5000];
static int rank, size;

static void fill(void)
{
    for (int i = 0; i < 1000; i++)
        now[i] = i;
}

static void relax(void)
{
    for (int i = 0; i < 5000; i++)
        scratch[i] = now[i % 1000] * i;
    for (int i = 0; i < 1000; i++)
        now[i] = scratch[i] + scratch[4999 - i];
}

int main(int argc, char **argv)
{
    MPI_Request request;
    double edge = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fill();
    for (int warm = 0; warm < 1; warm++)
        relax();
    for (int step = 0; step < 50; step++) {
        MPI_Irecv(&edge, 1, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &request);
        MPI_Send(&now[999], 1, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        now[0] = edge;
        relax();
    }
    MPI_Finalize();
    return now[0] > 0;
}
