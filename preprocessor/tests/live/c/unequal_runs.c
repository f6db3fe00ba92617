/* Blocks with a collective call. The values of `colour` depend on the rank, so the processes may have different numbers of runs.
 * With the counter, or with a level that is the same in all processes, they have the same number.
 * reports: colour
 */
typedef struct communicator *MPI_Comm;
extern MPI_Comm world;
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Barrier(MPI_Comm);

int main(void)
{
    int i, rank, colour, level = 0;
    MPI_Comm part, counted, levelled, constant;
#pragma cppc init
    MPI_Comm_rank(world, &rank);
#pragma cppc register(i, rank, level)
    for (i = 0; i < 6; i++) {
        colour = rank < 1 + i % 3;
        level = 2 * level + 1;
#pragma cppc execute capture(colour, rank)
        MPI_Comm_split(world, colour, rank, &part);
#pragma cppc end execute
#pragma cppc execute capture(i, colour, rank)
        MPI_Comm_split(world, colour, rank, &counted);
#pragma cppc end execute
#pragma cppc execute capture(level, colour, rank)
        MPI_Comm_split(world, colour + level, rank, &levelled);
#pragma cppc end execute
#pragma cppc execute capture(rank)
        MPI_Comm_split(world, 0, rank, &constant);
#pragma cppc end execute
#pragma cppc checkpoint
        MPI_Barrier(part);
        MPI_Barrier(counted);
        MPI_Barrier(levelled);
        MPI_Barrier(constant);
    }
#pragma cppc shutdown
    return 0;
}
