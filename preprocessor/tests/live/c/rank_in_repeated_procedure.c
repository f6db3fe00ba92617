/* A procedure that is called in a loop asks for the rank each time. The rank never changes in a process, so each process has one run.
 * The values of `changing` depend on the rank and on the step.
 * reports: changing
 */
typedef struct communicator *MPI_Comm;
extern MPI_Comm world;
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Barrier(MPI_Comm);

static void work(int own, int changing)
{
    int rank, half;
    MPI_Comm part, other, third;
    MPI_Comm_rank(world, &rank);
    half = rank / 2;
#pragma cppc execute capture(rank)
    MPI_Comm_split(world, rank % 2, rank, &part);
#pragma cppc end execute
#pragma cppc execute capture(half, own)
    MPI_Comm_split(world, half, own, &other);
#pragma cppc end execute
#pragma cppc execute capture(rank, changing)
    MPI_Comm_split(world, changing, rank, &third);
#pragma cppc end execute
#pragma cppc register(rank)
#pragma cppc checkpoint
    MPI_Barrier(part);
    MPI_Barrier(other);
    MPI_Barrier(third);
}

int main(void)
{
    int i, own, colour;
#pragma cppc init
    MPI_Comm_rank(world, &own);
#pragma cppc register(i, own)
    for (i = 0; i < 6; i++) {
        colour = own < i % 3;
        work(own, colour);
    }
#pragma cppc shutdown
    return 0;
}
