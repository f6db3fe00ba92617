/* What a checkpoint call costs if nothing is due, in several processes: nanoseconds of processor time for a
 * call with the jump after it, the largest of all processes. The processes meet every thousand calls. */

#include <cppc.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#define TURNS 20000L
#define CALLS 1000L

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static volatile int went;

int main(int argc, char **argv)
{
    long turn, call;
    int rank;
    double began, spent = 0, largest;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (CPPC_Enter("main", 3)) went++;
    CPPC_Init(&argc, &argv);
    if (CPPC_Jump_next()) went++;
    for (turn = 0; turn < TURNS; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        began = now();
        for (call = 0; call < CALLS; call++) {
            if (CPPC_Do_checkpoint(2)) went++;
            if (CPPC_Jump_next()) went++;
        }
        spent += now() - began;
    }
    spent /= (double)TURNS * CALLS;
    MPI_Reduce(&spent, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%f\n", largest);
    CPPC_Shutdown();
    CPPC_Leave();
    MPI_Finalize();
    return 0;
}
