/* Memory of MPI_Alloc_mem is saved with its size. A checkpoint with memory of a window is skipped. The program ends itself after
 * the fourth checkpoint of its first run. */

#include <cppc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *block, *of_window;
static void *volatile recorded;

int main(int argc, char **argv)
{
    static int step;
    int is_resumed = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    recorded = malloc(8);
    if (CPPC_Init(&argc, &argv) != CPPC_SUCCESS) return 9;
    MPI_Alloc_mem(8 * sizeof *block, MPI_INFO_NULL, &block);
    for (int k = 0; k < 8; k++) block[k] = k;
    CPPC_Register_pointer(0, &block, 0, CPPC_DOUBLE, "block", CPPC_STATIC | CPPC_ALLOCATION);
    CPPC_Register(0, &step, 1, CPPC_INT, "step", CPPC_STATIC);
    for (; step < 6; step++) {
        is_resumed |= CPPC_Do_checkpoint(1);
        if (step == 3 && !is_resumed) abort();
        block[7] += block[step];
    }
    printf("%g\n", block[7]);
    CPPC_Unregister(&block);
    MPI_Free_mem(block);
    MPI_Win_allocate(8 * sizeof *of_window, sizeof *of_window, MPI_INFO_NULL, MPI_COMM_SELF, &of_window, &window);
    CPPC_Register_pointer(0, &of_window, 8, CPPC_DOUBLE, "of_window", CPPC_STATIC);
    CPPC_Do_checkpoint(2);
    CPPC_Unregister(&of_window);
    MPI_Win_free(&window);
    CPPC_Do_checkpoint(3);
    CPPC_Shutdown();
    MPI_Finalize();
    free(recorded);
    return 0;
}
