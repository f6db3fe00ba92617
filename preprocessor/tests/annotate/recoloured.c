/* The colour depends on the rank and changes in each step. So the block captures the counter too. What `dims` is for is in a
 * structure of the caller. The ranks are on the heap, and registered for the block. The buffer is attached again. */
#include <stdlib.h>

typedef int MPI_Comm;
typedef int MPI_Group;
#define MPI_COMM_WORLD 1
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup);
int MPI_Group_size(MPI_Group group, int *size);
int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *cart);
int MPI_Buffer_attach(void *buffer, int size);
int MPI_Barrier(MPI_Comm comm);
int MPI_Finalize(void);

typedef struct {
    MPI_Comm comm;
    int dims[2];
} Grid;

static void make(Grid *grid)
{
    int periods[2] = {0, 1};
    grid->dims[0] = grid->dims[1] = 2;
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid->dims, periods, 0, &grid->comm);
}

int main(int argc, char **argv)
{
    Grid grid;
    MPI_Comm part;
    MPI_Group all, some;
    int rank, colour, step, size, sum = 0, *ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(malloc(1000), 1000);
    ranks = malloc(2 * sizeof *ranks);
    ranks[0] = 0;
    ranks[1] = 2;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some);
    make(&grid);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &part);
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        MPI_Comm_free(&part);
        colour = rank < 1 + step % 3;
        MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &part);
        MPI_Barrier(part);
        MPI_Barrier(grid.comm);
        MPI_Group_size(some, &size);
        sum += size;
    }
    MPI_Finalize();
    return sum;
}
