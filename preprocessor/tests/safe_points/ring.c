/* verdict: safe */
/* mutation: 3, &y => 4, &y => unsafe */
/* mutation: (rank + size - 1) % size => (rank + size - 2) % size => not safe */
/* mutation: (rank + 1) % size => (rank + 2) % size => not safe */
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
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % size, 3, &y, 1, MPI_DOUBLE, (rank + size - 1) % size, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
