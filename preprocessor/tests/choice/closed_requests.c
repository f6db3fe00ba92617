#include <mpi.h>

static MPI_Request incoming[2], repeated;
static double u[600], ghost[2];
static int rank, size;

/* The analysis of live data does not know that `number` is the same as in `take`. The proof of the safe point does. */
static void ready(int number)
{
    int other = number ? (rank + 1) % size : (rank + size - 1) % size;
    MPI_Irecv(&ghost[number], 1, MPI_DOUBLE, other, number, MPI_COMM_WORLD, &incoming[number]);
}

static void take(int number)
{
    MPI_Wait(&incoming[number], MPI_STATUS_IGNORE);
    u[number ? 599 : 0] = ghost[number];
}

int main(int argc, char **argv)
{
    double total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Send_init(&total, 1, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &repeated);
    for (int step = 0; step < 1000; step++) {
        for (int i = 1; i < 599; i++)
            u[i] = 0.5 * (u[i - 1] + u[i + 1]) + step;
        ready(0);
        ready(1);
        MPI_Send(&u[1], 1, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD);
        MPI_Send(&u[598], 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
        take(0);
        take(1);
        total += u[1];
        MPI_Start(&repeated);
        MPI_Wait(&repeated, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&repeated);
    MPI_Finalize();
    return total > 1;
}
