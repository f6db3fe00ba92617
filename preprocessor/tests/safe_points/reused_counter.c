/* verdict: safe
 * mutation: i = 0;\n => ; => not safe
 * mutation: count(&i); => ; => safe
 * mutation: steps = 4; => steps = i; => not safe
 * mutation: if (rank > 99) => if (rank > 0) => not safe
 * mutation: if (rank > 99) => if (steps > 0) => not safe
 * mutation: for (; i < 20; i++) => for (i = 0; i < 20; i++) => safe
 * The variable of the loop that computes is that of the loop that sends, and is set in between. */
#include <mpi.h>
static double u[4096];
static void count(int *places)
{
    *places = *places + 1;
}
int main(int argc, char **argv)
{
    int rank, size, i, step, steps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    steps = 4;
    for (step = 0; step < steps; step++) {
        double x = rank, y;
        for (i = rank; i < 3 + rank; i++)
            u[i] = u[i] + step;
        count(&i);
        steps = 4;
        if (rank > 99)
            goto sends;
        i = 0;
    sends:
        for (; i < 20; i++)
            MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % size, i, &y, 1, MPI_DOUBLE, (rank + size - 1) % size, i,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        u[0] += y;
#pragma cppc checkpoint
    }
    MPI_Finalize();
    return 0;
}
