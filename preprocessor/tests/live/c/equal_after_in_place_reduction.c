/* `MPI_Allreduce` gives `count` the same value in all processes, in the memory that had the value of each process. The value of
 * `own` is read before.
 * reports: k
 */
#include <stdio.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct operation *MPI_Op;
extern MPI_Comm world, self;
extern MPI_Datatype MPI_INT, MPI_DOUBLE;
extern MPI_Op largest, sums;
#define MPI_IN_PLACE ((void *)1)
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);

int main(void)
{
    MPI_Comm equal, different;
    int rank, count, own, step, i, k;
    double sum = 0;
#pragma cppc init
    MPI_Comm_rank(world, &rank);
    count = rank % 2 + 2;
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, largest, world);
    own = rank % 2 + 2;
#pragma cppc register(rank, count, own, step, sum, i, k)
    for (step = 0; step < 3; step++) {
        for (i = 0; i < count; i++) {
#pragma cppc execute capture(i)
            MPI_Comm_dup(world, &equal);
#pragma cppc end execute
        }
        for (k = 0; k < own; k++) {
#pragma cppc execute capture(k)
            MPI_Comm_dup(self, &different);
#pragma cppc end execute
        }
#pragma cppc checkpoint
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, sums, equal);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, sums, different);
    }
    MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_INT, largest, world);
    printf("%g %d\n", sum, own);
#pragma cppc shutdown
    return 0;
}
