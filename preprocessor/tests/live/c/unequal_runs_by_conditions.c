/* The values of the captured colours depend on the rank: through conditions, indices, arguments, results and coordinates. So the
 * processes may have different numbers of runs. The other values are the same in all processes, or a capture differs in each run.
 * reports: by_argument, by_condition, by_coordinate, by_early_return, by_index, by_loop, by_parity, by_pointer, by_remainder, by_result, by_switch, with_parity
 */
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
extern MPI_Comm world;
extern MPI_Datatype integer;
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Cart_coords(MPI_Comm, int, int, int *);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Barrier(MPI_Comm);
int printf(const char *, ...);

static const int colours[4] = {0, 1, 1, 2};
static int common;

static int half(int number)
{
    if (number < 2)
        return 0;
    return 1;
}

static int sum_of(int number, int step)
{
    return number * (step % 3);
}

static void passed(int by_argument)
{
    MPI_Comm part;
#pragma cppc execute capture(by_argument)
    MPI_Comm_split(world, by_argument, 0, &part);
#pragma cppc end execute
#pragma cppc checkpoint
    MPI_Barrier(part);
}

static void set(int rank, int *by_early_return)
{
    if (rank < 2)
        return;
    *by_early_return = 1 - *by_early_return;
}

int main(void)
{
    int i, j, rank, counted = 0, coordinates[2];
    int by_condition, by_parity, by_index, by_pointer, by_result, by_switch, by_loop, by_coordinate, by_remainder;
    int with_parity, by_early_return = 0, agreed, step_parity, guarded;
    const int *pointer;
    MPI_Comm part[16];
#pragma cppc init
    MPI_Comm_rank(world, &rank);
    MPI_Cart_coords(world, rank, 2, coordinates);
#pragma cppc register(i, rank, counted, coordinates, by_early_return, agreed)
    if (rank > 100) {
        printf("too many processes\n");
        return 1;
    }
    for (i = 0; i < 6; i++) {
        by_condition = 0;
        if (rank == 0 && i % 3 == 0)
            by_condition = 1;
#pragma cppc execute capture(by_condition)
        MPI_Comm_split(world, by_condition, 0, &part[0]);
#pragma cppc end execute
        if (rank % 2)
            by_parity = i % 2;
        else
            by_parity = 0;
#pragma cppc execute capture(by_parity)
        MPI_Comm_split(world, by_parity, 0, &part[1]);
#pragma cppc end execute
        by_index = colours[rank] * (i % 2);
#pragma cppc execute capture(by_index)
        MPI_Comm_split(world, by_index, 0, &part[2]);
#pragma cppc end execute
        pointer = colours + rank;
        by_pointer = *pointer * (i % 2);
#pragma cppc execute capture(by_pointer)
        MPI_Comm_split(world, by_pointer, 0, &part[3]);
#pragma cppc end execute
        by_result = half(rank) + i % 2 * half(rank);
#pragma cppc execute capture(by_result)
        MPI_Comm_split(world, by_result, 0, &part[4]);
#pragma cppc end execute
        switch (rank) {
        case 0: by_switch = i % 3; break;
        default: by_switch = 0;
        }
#pragma cppc execute capture(by_switch)
        MPI_Comm_split(world, by_switch, 0, &part[5]);
#pragma cppc end execute
        by_loop = 0;
        for (j = 0; j < rank; j++)
            by_loop += i % 2;
#pragma cppc execute capture(by_loop)
        MPI_Comm_split(world, by_loop, 0, &part[6]);
#pragma cppc end execute
        by_coordinate = coordinates[0] ? i % 2 : 0;
#pragma cppc execute capture(by_coordinate)
        MPI_Comm_split(world, by_coordinate, 0, &part[7]);
#pragma cppc end execute
        set(rank, &by_early_return);
#pragma cppc execute capture(by_early_return)
        MPI_Comm_split(world, by_early_return, 0, &part[8]);
#pragma cppc end execute
        by_remainder = sum_of(rank % 2, i);
#pragma cppc execute capture(by_remainder)
        MPI_Comm_split(world, by_remainder, 0, &part[9]);
#pragma cppc end execute
        passed(rank % 2 * (i % 2));
        with_parity = rank < i % 3;
        step_parity = i % 2;
#pragma cppc execute capture(with_parity, step_parity)
        MPI_Comm_split(world, with_parity + step_parity, 0, &part[14]);
#pragma cppc end execute

        /* These have equal numbers of runs. */
        if (rank == 0)
            agreed = i % 2;
        MPI_Bcast(&agreed, 1, integer, 0, world);
#pragma cppc execute capture(agreed)
        MPI_Comm_split(world, agreed, 0, &part[10]);
#pragma cppc end execute
        step_parity = i % 2;
#pragma cppc execute capture(step_parity)
        MPI_Comm_split(world, step_parity, 0, &part[11]);
#pragma cppc end execute
        common = i % 2;
        if (rank == 0)
            printf("%d\n", common);
#pragma cppc execute capture(common)
        MPI_Comm_split(world, common, 0, &part[12]);
#pragma cppc end execute
        guarded = rank < i % 3;
        for (j = counted; j < counted + 1; j++)
            if (rank == 0)
                printf("%d\n", j);
        counted++;
#pragma cppc execute capture(counted, guarded)
        MPI_Comm_split(world, guarded, 0, &part[13]);
#pragma cppc end execute
#pragma cppc checkpoint
        for (j = 0; j < 15; j++)
            MPI_Barrier(part[j]);
    }
#pragma cppc shutdown
    return 0;
}
