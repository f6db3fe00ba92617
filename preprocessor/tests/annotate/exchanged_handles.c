/* Handles are exchanged in each step. The blocks capture the counter, so that a restart repeats each exchange. In the loop without
 * a counter, there is no block. `low` needs no counter, because each step sets it first. */
typedef int MPI_Comm;
#define MPI_COMM_WORLD 1
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPI_Barrier(MPI_Comm comm);
int MPI_Finalize(void);

int main(int argc, char **argv)
{
    MPI_Comm first, second, kept, low, high, level;
    int rank, step, size = 8;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    MPI_Comm_dup(MPI_COMM_WORLD, &level);
    while (size > 1) {
        MPI_Comm_split(level, rank % 2, rank, &kept);
        level = kept;
        size /= 2;
    }
    for (step = 0; step < 10; step++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &low);
        MPI_Comm_dup(low, &high);
#pragma cppc checkpoint
        MPI_Barrier(first);
        MPI_Barrier(high);
        MPI_Barrier(level);
        kept = first;
        first = second;
        second = kept;
    }
    MPI_Finalize();
    return 0;
}
