/* Exercises: starts that meet. The first argument is the number of steps; others are not looked at. At the step in PAUSE_AT it makes the
 * file `paused-PROCESS` and waits for the file `go`. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static void pause_here(void)
{
    char name[64];
    FILE *file;

    snprintf(name, sizeof name, "paused-%ld", (long)getpid());
    file = fopen(name, "w");
    if (file)
        fclose(file);
    while (access("go", F_OK) != 0)
        usleep(5000);
}

static void meet(int step)
{
    const char *pause_at = getenv("PAUSE_AT");

    if (pause_at && atoi(pause_at) == step)
        pause_here();
#ifdef CHILD
    if (step == 12) {
        fflush(stdout);
#if CHILD == 1
        if (daemon(1, 1) != 0)
            exit(9);
#else
        pid_t child = fork();
        if (child > 0) {
            int status;
            waitpid(child, &status, 0);
            fprintf(stderr, "the child has ended with %d\n", WEXITSTATUS(status));
        }
#endif
    }
#endif
}

#ifndef EARLIER
#define EARLIER 4
#endif

int main(int argc, char **argv)
{
    int step, steps, rank = 0;
    double x = 1, earlier[EARLIER] = {0};

#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
#pragma cppc init
    steps = argc > 1 ? atoi(argv[1]) : 10;
#pragma cppc register(step, steps, x, earlier)
    for (step = 0; step < steps; step++) {
#pragma cppc checkpoint
        meet(step);
        usleep(500);
        earlier[step % EARLIER] = x;
        x = x * 0.999 + step * (rank + 1) + 0 * earlier[0];
#ifdef WITH_MPI
        if (step % 5 == 0) {
            double sum;
            MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            x = 0.5 * x + 0.25 * sum;
        }
#endif
    }
#ifdef OTHER
    puts(OTHER);
#endif
    printf("%d: %d %.17g\n", rank, steps, x);
#ifndef NO_SHUTDOWN
#pragma cppc shutdown
#endif
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    if (getenv("RESULT")) {
        FILE *file = fopen(getenv("RESULT"), "w");
        if (!file)
            return 1;
        fprintf(file, "%.17g\n", x);
        fclose(file);
    }
    return 0;
}
