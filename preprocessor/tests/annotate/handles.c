/* Handles are created again: a communicator, and an open file. */
#include <stdio.h>

typedef int MPI_Comm;
#define MPI_COMM_WORLD 1
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPI_Barrier(MPI_Comm comm);
int MPI_Finalize(void);

int main(int argc, char **argv)
{
    MPI_Comm half;
    FILE *log;
    int rank, colour, step;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    colour = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &half);
    log = fopen("log.txt", "w");
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        MPI_Barrier(half);
        if (rank == 0)
            fprintf(log, "%d\n", step);
    }
    fclose(log);
    MPI_Finalize();
    return 0;
}
