/* Exercises: blocks that open, write and close their files in several processes: each has its own, and the first writes
 * one more in a block that all of them run and that they leave together.
 * processes: 3
 * writes: files */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 12
/* The runtime gets the stream that the block has closed. */
#pragma GCC diagnostic ignored "-Wuse-after-free"
#endif

static void put(FILE *file, int i)
{
    if (file == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(file, "line %d\n", i);
}

int main(int argc, char **argv)
{
    FILE *own = NULL, *first = NULL;
    char name[32];
    int rank, i, total = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "own.%d.txt", rank);
#pragma cppc init
#pragma cppc execute file(first, "first.txt")
    if (rank == 0)
        put(first = fopen("first.txt", "w"), -1);
    if (first != NULL)
        fflush(first);
    MPI_Barrier(MPI_COMM_WORLD);
#pragma cppc end execute
#pragma cppc execute file(own, name) capture(name)
    put(own = fopen(name, "w"), -1);
    fclose(own);
#pragma cppc end execute
#pragma cppc register(i, total)
    for (i = 0; i < 12; i++) {
#pragma cppc checkpoint
#pragma cppc execute file(own, name) capture(name, i)
        put(own = fopen(name, "a"), i);
        fclose(own);
#pragma cppc end execute
        total += i;
        if (rank == 0)
            fprintf(first, "total %d\n", total);
        printf("%d %d %d\n", rank, i, total);
        fflush(stdout);
    }
    if (rank == 0)
        fclose(first);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
