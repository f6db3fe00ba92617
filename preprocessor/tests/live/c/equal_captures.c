/* Blocks that exchange two handles. A restart runs a block once for each distinct set of captured values. The values of `flag` come
 * back, so that the runs for equal values replace each other. Each of the other captured variables has a new value in each run.
 * The inner loop repeats the values of its counter, so the outer counter is needed too.
 * reports: flags, inner, passed
 */
typedef struct communicator *MPI_Comm;
extern MPI_Comm world;
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Barrier(MPI_Comm);

static MPI_Comm passed[2], stepped[2], numbered[2];

static void exchange_passed(int flag)
{
    MPI_Comm kept;
#pragma cppc execute capture(flag)
    kept = passed[0];
    passed[0] = passed[1];
    passed[1] = kept;
#pragma cppc end execute
}

static void exchange_stepped(int number)
{
    MPI_Comm kept;
#pragma cppc execute capture(number)
    kept = stepped[0];
    stepped[0] = stepped[1];
    stepped[1] = kept;
#pragma cppc end execute
}

static void exchange_numbered(void)
{
    static int calls;
    MPI_Comm kept;
    calls++;
#pragma cppc register(calls)
#pragma cppc execute capture(calls)
    kept = numbered[0];
    numbered[0] = numbered[1];
    numbered[1] = kept;
#pragma cppc end execute
}

int main(void)
{
    int i, k, flag, twice, step = 0;
    MPI_Comm kept, flags[2], sums[2], inner[2], both[2], steps[2];
#pragma cppc init
#pragma cppc execute
    for (k = 0; k < 2; k++) {
        MPI_Comm_dup(world, &flags[k]);
        MPI_Comm_dup(world, &sums[k]);
        MPI_Comm_dup(world, &inner[k]);
        MPI_Comm_dup(world, &both[k]);
        MPI_Comm_dup(world, &steps[k]);
        MPI_Comm_dup(world, &passed[k]);
        MPI_Comm_dup(world, &stepped[k]);
        MPI_Comm_dup(world, &numbered[k]);
    }
#pragma cppc end execute
#pragma cppc register(i, k, step, flag, twice)
    for (i = 0; i < 6; i++) {
        flag = i % 2;
        twice = 2 * i + 1;
#pragma cppc checkpoint
        MPI_Barrier(flags[0]);
        MPI_Barrier(sums[0]);
        MPI_Barrier(inner[0]);
        MPI_Barrier(both[0]);
        MPI_Barrier(passed[0]);
        MPI_Barrier(stepped[0]);
        MPI_Barrier(numbered[0]);
#pragma cppc execute capture(flag)
        kept = flags[0];
        flags[0] = flags[1];
        flags[1] = kept;
#pragma cppc end execute
#pragma cppc execute capture(twice)
        kept = sums[0];
        sums[0] = sums[1];
        sums[1] = kept;
#pragma cppc end execute
        for (k = 0; k < 3; k++) {
#pragma cppc execute capture(k)
            kept = inner[0];
            inner[0] = inner[1];
            inner[1] = kept;
#pragma cppc end execute
#pragma cppc execute capture(i, k)
            kept = both[0];
            both[0] = both[1];
            both[1] = kept;
#pragma cppc end execute
        }
        exchange_passed(flag);
        exchange_stepped(i + 1);
        exchange_numbered();
    }
    while (step < 9) {
        step++;
#pragma cppc checkpoint
        MPI_Barrier(steps[0]);
#pragma cppc execute capture(step)
        kept = steps[0];
        steps[0] = steps[1];
        steps[1] = kept;
#pragma cppc end execute
    }
#pragma cppc shutdown
    return 0;
}
