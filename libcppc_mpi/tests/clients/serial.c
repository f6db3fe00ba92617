/* A serial build of a program for MPI: it calls no function of MPI, or with -DREPLACED its own MPI_Init. It ends itself after the
 * third checkpoint of its first run. */

#include <cppc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef REPLACED
int MPI_Init(int *argc, char ***argv) { return argc == NULL || argv == NULL; }
#endif

int main(int argc, char **argv)
{
    static int step;
    int is_resumed = 0;
#ifdef REPLACED
    if (MPI_Init(&argc, &argv)) return 8;
#endif
    if (CPPC_Init(&argc, &argv) != CPPC_SUCCESS) return 9;
    CPPC_Register(0, &step, 1, CPPC_INT, "step", CPPC_STATIC);
    for (; step < 6; step++) {
        is_resumed |= CPPC_Do_checkpoint(1);
        if (step == 3 && !is_resumed) abort();
        printf("%d\n", step);
    }
    return CPPC_Shutdown() != CPPC_SUCCESS;
}
