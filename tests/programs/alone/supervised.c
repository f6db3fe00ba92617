/* Exercises: a program that is killed and started again by `cppc run`. The first argument is the number of steps, the second one the
 * microseconds of each. ENDING is the time in milliseconds before `shutdown` and after it. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static void linger(void)
{
    const char *ending = getenv("ENDING");

    if (ending)
        usleep((useconds_t)atoi(ending) * 1000);
}

int main(int argc, char **argv)
{
    int step, steps, rank = 0;
    useconds_t pause;
    double x = 1;

    steps = argc > 1 ? atoi(argv[1]) : 10;
    pause = argc > 2 ? (useconds_t)atoi(argv[2]) : 500;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
#pragma cppc init
#pragma cppc register(step, x)
    for (step = 0; step < steps; step++) {
#pragma cppc checkpoint
        usleep(pause);
        x = x * 0.999 + step * (rank + 1);
#ifdef WITH_MPI
        if (step % 5 == 0) {
            double sum;
            MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            x = 0.5 * x + 0.25 * sum;
        }
#endif
    }
    printf("%d: %d %.17g\n", rank, steps, x);
    fflush(stdout);
    linger();
#ifndef WITHOUT_SHUTDOWN
#pragma cppc shutdown
#endif
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    linger();
    return 0;
}
