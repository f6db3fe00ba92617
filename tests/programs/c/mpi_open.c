/* Exercises: each process writes a file of its own, and all of them read one.
 * processes: 3
 * writes: files */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

int main(int argc, char **argv)
{
    FILE *own = NULL, *common = NULL;
    char name[32];
    int rank, i, value, total = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "own.%d.txt", rank);
    if (rank == 0) {
        if ((common = fopen("common.txt", "w")) == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        for (i = 0; i < 200; i++)
            fprintf(common, "%d\n", i * 3);
        fclose(common);
    }
    MPI_Barrier(MPI_COMM_WORLD);
#pragma cppc init
#pragma cppc execute file(own, name) file(common, "common.txt")
    own = fopen(name, "w");
    common = fopen("common.txt", "r");
    if (own == NULL || common == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
#pragma cppc end execute
#pragma cppc register(i, total)
    for (i = 0; i < 12; i++) {
#pragma cppc checkpoint
        if (fscanf(common, "%d", &value) != 1)
            MPI_Abort(MPI_COMM_WORLD, 2);
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        total += value + rank;
        fprintf(own, "%d: %d of %d\n", i, total, rank);
        printf("%d %d %d\n", rank, i, total);
        fflush(stdout);
    }
    fclose(own);
    fclose(common);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
