/* The buffer of a persistent request is read when the request is started. The one of an ordinary request is not read later.
   reports: out
   all: ghost, out, requests */
#include <stdio.h>
typedef struct any *MPI_Comm, *MPI_Datatype, *MPI_Request;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled; long count; } MPI_Status;
extern struct any world, number;
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Recv_init(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Send_init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Startall(int, MPI_Request *);
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
static double out[4], ghost[4], once[4];
static MPI_Request requests[2];
int main(int argc, char **argv)
{
    int i;
    double sum = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
#pragma cppc init
#pragma cppc execute
    MPI_Send_init(out, 4, &number, 0, 1, &world, &requests[0]);
    MPI_Recv_init(ghost, 4, &number, 0, 1, &world, &requests[1]);
#pragma cppc end execute
    once[0] = argc;
    MPI_Isend(once, 4, &number, 0, 2, &world, &request);
    MPI_Wait(&request, &status);
#pragma cppc register(i, sum)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        out[i % 4] = sum + i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, 0);
        sum = sum * 0.5 + ghost[0];
    }
    printf("%g\n", sum);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
