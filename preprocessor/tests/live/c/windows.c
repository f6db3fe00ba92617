/* Other processes read and change the memory of a window. What a process puts into one is read by the call.
   reports: board */
#include <stdio.h>
typedef struct any *MPI_Comm, *MPI_Datatype, *MPI_Info, *MPI_Win;
extern struct any world, number, none;
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
int MPI_Win_create(void *, long, int, MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_fence(int, MPI_Win);
int MPI_Win_free(MPI_Win *);
static double board[4];
int main(int argc, char **argv)
{
    int i, k;
    double mine;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Win_create(board, sizeof board, sizeof board[0], &none, &world, &window);
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        mine = i;
        MPI_Win_fence(0, window);
        MPI_Put(&mine, 1, &number, 0, i % 4, 1, &number, window);
        MPI_Win_fence(0, window);
    }
    for (k = 0; k < 4; k++)
        printf("%g\n", board[k]);
#pragma cppc shutdown
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
