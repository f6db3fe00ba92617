/* verdict: safe */
/* mutation: MPI_Waitall(4, r => MPI_Waitall(3, r => unsafe */
/* mutation: MPI_Waitall(4, r => MPI_Waitall(3, r + 1 => unsafe */
/* mutation: right, 7 => right, 8 => unsafe */
/* mutation: left, 8, MPI_COMM_WORLD, &r[3] => right, 8, MPI_COMM_WORLD, &r[3] => unsafe */
/* mutation: MPI_Waitall(4, r, MPI_STATUSES_IGNORE); =>  => unsafe */
/* mutation: &r[3] => &r[2] => not safe */
/* mutation: rank + 1 : MPI_PROC_NULL => rank + 1 : 0 => unsafe */
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
    MPI_Request r[4];
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma cppc register(i, x, y, sum)
    for (i = 0; i < n; i++) {
        MPI_Irecv(&y, 1, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&sum, 1, MPI_DOUBLE, right, 8, MPI_COMM_WORLD, &r[1]);
        MPI_Isend(&x, 1, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(&x, 1, MPI_DOUBLE, left, 8, MPI_COMM_WORLD, &r[3]);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return y > sum;
}
