/* A block of a called procedure reads what an argument points to. Its caller registers that after the call.
 * reports: grid
 */
typedef struct communicator *MPI_Comm;
extern MPI_Comm world;
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Dims_create(int, int, int *);
int MPI_Cart_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Barrier(MPI_Comm);

typedef struct {
    MPI_Comm comm;
    int size, dims[2];
} Grid;

static Grid grid;

static void make(Grid *made)
{
    int periods[2] = {0, 1};
    MPI_Comm_size(world, &made->size);
    made->dims[0] = made->dims[1] = 0;
    MPI_Dims_create(made->size, 2, made->dims);
#pragma cppc execute capture(periods)
    MPI_Cart_create(world, 2, made->dims, periods, 0, &made->comm);
#pragma cppc end execute
}

int main(void)
{
    int i, sum = 0;
#pragma cppc init
    make(&grid);
#pragma cppc register(i, sum, grid.size, grid.dims)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        MPI_Barrier(grid.comm);
        sum += grid.dims[0] + grid.size;
    }
#pragma cppc shutdown
    return sum;
}
