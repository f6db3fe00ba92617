/* verdict: safe */
/* mutation: i % 5 == 0 => i % 5 == rank => not safe */
/* mutation: i % 5 == 0 => y > 2 => unknown */
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
        if (i % 5 == 0) {
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % size, 3, &y, 1, MPI_DOUBLE, (rank + size - 1) % size, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
