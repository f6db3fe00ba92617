/* A log that several processes append to, in a block that closes it.
 * processes: 3
 * writes: files */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *log = NULL;
    int rank, i;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 4; i++) {
#pragma cppc execute file(log, "log.txt")
        if ((log = fopen("log.txt", "a")) == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        fprintf(log, "%d\n", i);
        fclose(log);
#pragma cppc end execute
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
