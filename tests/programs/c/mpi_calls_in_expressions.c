/* Exercises: calls with checkpoints and communication inside expressions and conditions, recursion
 * over sub-communicators whose handles are arguments.
 *
 * processes: 4
 */
#include <mpi.h>

#include "check.h"

static MPI_Comm halves;
static double state;

static double share(double x)
{
    double sum;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma cppc register(sum)
#pragma cppc checkpoint
    return sum * 0.5;
}

static int converged(double limit)
{
    double most;
#pragma cppc checkpoint
    MPI_Allreduce(&state, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most > limit;
}

static double nested(MPI_Comm comm, int depth, double x)
{
    double sum;
    if (depth == 0)
        return share(x);
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
#pragma cppc register(sum)
    return nested(comm, depth - 1, sum * 0.25) + sum;
}

int main(int argc, char **argv)
{
    int rank, turn = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
#pragma cppc execute
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &halves);
#pragma cppc end execute
    state = rank + 1;
#pragma cppc register(turn, state)
    while (!converged(60)) {
        state += share(state) - 0.25 * share(1.0 / (turn + 1));
        if (turn % 2 == 1 && share(turn) > 1)
            state += nested(halves, 2, state * 0.1);
        turn++;
        printf("%d %d %.17g\n", rank, turn, state);
    }
    MPI_Comm_free(&halves);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
