/* Messages fill `ghost`, and nothing else sets it. `edge` has another value if its message comes from no process.
   reports: edge
   all: edge, ghost */
#include <stdio.h>
typedef struct any *MPI_Comm, *MPI_Datatype, *MPI_Request;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled; long count; } MPI_Status;
extern struct any world, number;
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
static double ghost[4], edge[4];
static MPI_Request requests[2];
int main(int argc, char **argv)
{
    int i, next;
    double mine[4] = { 1, 2, 3, 4 };
    MPI_Status status;
    MPI_Init(&argc, &argv);
#pragma cppc init
    next = argc > 1 ? -2 : 0;
    for (i = 0; i < 4; i++)
        edge[i] = i;
#pragma cppc register(i, next, mine)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        MPI_Irecv(ghost, 4, &number, 0, 1, &world, &requests[0]);
        MPI_Isend(mine, 4, &number, 0, 1, &world, &requests[1]);
        MPI_Waitall(2, requests, 0);
        MPI_Recv(edge, 4, &number, next, 2, &world, &status);
        mine[0] += ghost[1] + edge[2];
    }
    printf("%g\n", mine[0]);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
