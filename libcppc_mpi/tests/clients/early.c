/* CPPC_Init before MPI_Init and after MPI_Finalize: refused, and the program continues. */

#include <cppc.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int early = CPPC_Init(&argc, &argv), late;
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    late = CPPC_Init(&argc, &argv);
    CPPC_Do_checkpoint(1);
    printf("%d %d\n", early, late);
    return 0;
}
