/* Exercises: a structure with a communicator, whose other fields are registered.
 *
 * processes: 2
 */
#include <mpi.h>
#include <stdio.h>

struct context {
    MPI_Comm all;
    int rank;
    double x;
};

int main(int argc, char **argv)
{
    struct context context;
    int step;
    MPI_Init(&argc, &argv);
#pragma cppc init
#pragma cppc execute
    context.all = MPI_COMM_WORLD;
#pragma cppc end execute
    MPI_Comm_rank(context.all, &context.rank);
    context.x = context.rank;
#pragma cppc register(context.rank, context.x, step)
    for (step = 0; step < 5; step++) {
#pragma cppc checkpoint
        MPI_Allreduce(MPI_IN_PLACE, &context.x, 1, MPI_DOUBLE, MPI_SUM, context.all);
        context.x += context.rank;
        printf("%d %d %g\n", context.rank, step, context.x);
    }
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
