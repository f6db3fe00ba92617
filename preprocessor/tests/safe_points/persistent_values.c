/* verdict: safe
 * mutation: for (i = 0; i < n; i++) => for (i = 0; i < v; i++) => not safe
 * mutation: for (i = 0; i < n; i++) => for (i = 0; i < w; i++) => not safe
 * mutation: for (i = 0; i < n; i++) => for (i = 0; i < calls; i++) => not safe
 * Persistent requests, other processes, and procedures that MPI calls write into memory later. */
#include <mpi.h>
static int calls = 1, w;
static void add(void *a, void *b, int *n, MPI_Datatype *type) { calls++; *(int *) b += *(int *) a; }
int main(int argc, char **argv)
{
    int rank, size, i, n, v, z = 0;
    double u = 1;
    MPI_Request request;
    MPI_Win window;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(&w, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Op_create(add, 1, &op);
    MPI_Recv_init(&v, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &request);
    n = 2;
    v = 2;
    w = 2;
    z = rank + 2;
    MPI_Win_fence(0, window);
    MPI_Put(&z, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Start(&request);
    MPI_Send(&z, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce(&rank, &z, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
    for (i = 0; i < n; i++) {
#pragma cppc checkpoint
        u += i;
    }
    MPI_Finalize();
    return 0;
}
