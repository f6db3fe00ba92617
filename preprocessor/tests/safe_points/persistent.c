/* verdict: safe */
/* mutation: MPI_Waitall(2, r, MPI_STATUSES_IGNORE); =>  => not safe */
/* mutation: MPI_Startall(2, r) => MPI_Startall(1, r) => unsafe */
/* mutation: 5, MPI_COMM_WORLD, &r[1] => 6, MPI_COMM_WORLD, &r[1] => unsafe */
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
    MPI_Send_init(&x, 1, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(&y, 1, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &r[1]);
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
