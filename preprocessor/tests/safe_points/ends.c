/* verdict: safe
 * mutation: if (x == 3) exit(0); => if (x == 3) exit(0); if (rank == 0) MPI_Send(&u, 1, MPI_DOUBLE, 1, 50, MPI_COMM_WORLD); => not safe
 * mutation: x = argc; => ; => safe
 * The condition under which the program ends is that of the moment. */
#include <mpi.h>
void exit(int status);
int main(int argc, char **argv)
{
    int rank, x, s;
    double u = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (x = 0; x < 3; x++) {
        if (rank == 0) MPI_Send(&u, 1, MPI_DOUBLE, 1, x, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(&u, 1, MPI_DOUBLE, 0, x, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (s = 0; s < 4; s++) {
#pragma cppc checkpoint
        x = argc;
        if (x == 3) exit(0);
    }
    for (s = 0; s < 4; s++)
        u += s;
    MPI_Finalize();
    return 0;
}
