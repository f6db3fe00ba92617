/* Blocks that exchange handles in each step. A restart runs each of them once if nothing distinguishes the runs, and the rank does not.
 * `first` and `second` are exchanged with the counter of the loop. `fresh` is freed and created again, which needs no other run.
 * `low` is set in an earlier statement of the same step.
 * reports: left, one, right, two
 */
typedef struct communicator *MPI_Comm;
extern MPI_Comm world;
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Comm_free(MPI_Comm *);
int MPI_Barrier(MPI_Comm);

static MPI_Comm one, two;

static void exchange(MPI_Comm *first, MPI_Comm *second)
{
    MPI_Comm kept;
#pragma cppc execute
    kept = *first;
    *first = *second;
    *second = kept;
#pragma cppc end execute
}

int main(void)
{
    int i, rank;
    MPI_Comm left, right, kept, first, second, fresh, low, high;
#pragma cppc init
    MPI_Comm_rank(world, &rank);
#pragma cppc execute
    MPI_Comm_dup(world, &left);
    MPI_Comm_dup(world, &right);
    MPI_Comm_dup(world, &first);
    MPI_Comm_dup(world, &second);
    MPI_Comm_dup(world, &fresh);
    MPI_Comm_dup(world, &one);
    MPI_Comm_dup(world, &two);
#pragma cppc end execute
#pragma cppc register(i, rank)
    for (i = 0; i < 6; i++) {
#pragma cppc execute
        MPI_Comm_dup(world, &low);
#pragma cppc end execute
#pragma cppc execute
        MPI_Comm_split(low, 0, 0, &high);
#pragma cppc end execute
#pragma cppc checkpoint
        MPI_Barrier(left);
        MPI_Barrier(first);
        MPI_Barrier(fresh);
        MPI_Barrier(high);
        MPI_Barrier(one);
#pragma cppc execute capture(rank)
        kept = left;
        left = right;
        right = kept;
#pragma cppc end execute
#pragma cppc execute capture(i)
        kept = first;
        first = second;
        second = kept;
#pragma cppc end execute
#pragma cppc execute
        MPI_Comm_free(&fresh);
        MPI_Comm_dup(world, &fresh);
#pragma cppc end execute
        exchange(&one, &two);
    }
#pragma cppc shutdown
    return 0;
}
