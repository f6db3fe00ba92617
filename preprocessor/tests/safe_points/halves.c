/* verdict: safe */
/* mutation: 1, half => 2, half => unsafe */
/* mutation: members - 1) % members => members - 2) % members => not safe */
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
    MPI_Comm half;
    int own, members;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &members);
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, (own + 1) % members, 1, &y, 1, MPI_DOUBLE, (own + members - 1) % members, 1, half,
                     MPI_STATUS_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
