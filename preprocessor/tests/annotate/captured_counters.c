/* The colour has two values in all processes, so the block needs no counter. The colour of `uneven` depends on the rank, so that its
 * block captures the counter. The program frees `many` in each of many steps. A restart would create all of them, so the block of
 * `many` has no counter, and C0717 reports it. */
typedef int MPI_Comm;
#define MPI_COMM_WORLD 1
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Barrier(MPI_Comm comm);
int MPI_Finalize(void);

int main(int argc, char **argv)
{
    MPI_Comm even, uneven, many;
    int rank, colour, step;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (step = 0; step < 100000; step++) {
        colour = step % 2;
        MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &even);
        colour = rank < 1 + step % 3;
        MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &many);
#pragma cppc checkpoint
        MPI_Barrier(even);
        MPI_Barrier(many);
        MPI_Comm_free(&even);
        MPI_Comm_free(&many);
    }
    for (step = 0; step < 1000; step++) {
        colour = rank < 1 + step % 3;
        MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &uneven);
#pragma cppc checkpoint
        MPI_Barrier(uneven);
        MPI_Comm_free(&uneven);
    }
    MPI_Finalize();
    return 0;
}
