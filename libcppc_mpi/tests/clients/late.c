/* A checkpoint and CPPC_Shutdown after MPI_Finalize: no more state is written, and the program continues. */

#include <cppc.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static int step;
    MPI_Init(&argc, &argv);
    if (CPPC_Init(&argc, &argv) != CPPC_SUCCESS) return 9;
    CPPC_Register(0, &step, 1, CPPC_INT, "step", CPPC_STATIC);
    for (step = 0; step < 4; step++) {
        if (step == 2) MPI_Finalize();
        CPPC_Do_checkpoint(1);
    }
    CPPC_Shutdown();
    printf("the end\n");
    return 0;
}
