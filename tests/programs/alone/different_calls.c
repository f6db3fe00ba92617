/* Processes that make different checkpoint calls. The argument is how they differ.
 * processes: 4 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const char *kind;
static int rank;

static int is(const char *name)
{
    return strcmp(kind, name) == 0;
}

/* The number of calls of this process in a step. */
static int calls(int step)
{
    if (is("none"))
        return rank == 0 ? 0 : 3;
    if (is("fewer"))
        return rank != 0 && step == 2 ? 4 : 3;
    if (is("groups"))
        return 2 + rank % 2;
    return 3;
}

int main(int argc, char **argv)
{
    int step, call;
    double x, sum;

    MPI_Init(&argc, &argv);
    kind = argc > 1 ? argv[1] : "equal";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
    x = rank + 1;
#pragma cppc register(x, step, call)
    for (step = 0; step < 3; step++) {
        for (call = 0; call < calls(step); call++) {
            if (is("places") && rank == 0 && call == 1) {
#pragma cppc checkpoint safe
                x *= 0.5;
            } else if (!is("places") || call != 0) {
#pragma cppc checkpoint safe
                x *= 0.5;
            } else {
#pragma cppc checkpoint safe
                x *= 0.5;
            }
        }
        if (!is("none") && !is("fewer")) {
            MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            x += sum;
        }
    }
    printf("%d %.17g\n", rank, x);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
