/* Structures with a handle: the other fields are registered, and a block sets the handle again. */
#include <stdio.h>
#include <stdlib.h>

typedef int MPI_Comm;
#define MPI_COMM_WORLD 1
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy);
int MPI_Barrier(MPI_Comm comm);
int MPI_Finalize(void);

struct group {
    MPI_Comm all, own;
    int rank;
};

struct run {
    double sum;
    FILE *log;
    struct group group;
    double *values;
    const double *first;
    char name[8];
};

static void step(struct run *run, int at)
{
    run->values[at] += run->group.rank + run->first[0];
    run->sum += run->values[at];
    fprintf(run->log, "%s %g\n", run->name, run->sum);
    MPI_Barrier(run->group.all);
    MPI_Barrier(run->group.own);
}

int main(int argc, char **argv)
{
    struct run run = {0, NULL, {0, 0, 0}, NULL, NULL, "run"};
    int n = 8;

    MPI_Init(&argc, &argv);
    run.group.all = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &run.group.own);
    MPI_Comm_rank(run.group.all, &run.group.rank);
    run.log = fopen("run.log", "w");
    run.values = calloc(n, sizeof *run.values);
    run.first = run.values;
    for (int k = 0; k < n; k++) {
#pragma cppc checkpoint
        step(&run, k);
    }
    printf("%g\n", run.sum);
    fclose(run.log);
    MPI_Finalize();
    return 0;
}
