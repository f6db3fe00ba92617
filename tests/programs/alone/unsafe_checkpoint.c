/* The first of the two checkpoints of the loop is between a send and its receive.
 *
 * processes: 2
 * rehearse: never (half of its state files are not complete)
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, i, value, got = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
#pragma cppc register(i, got, sum)
    for (i = 0; i < 4; i++) {
        value = 10 * sum + i + rank;
        MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
#pragma cppc checkpoint
        MPI_Recv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += got;
#pragma cppc checkpoint
        printf("%d %d %d\n", rank, i, sum);
    }
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
