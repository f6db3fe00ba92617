/* Settings of MPI in execute blocks, and settings on which nothing depends after the checkpoint.
 * reports: nothing
 */
#include <stdio.h>

typedef struct world_of_mpi *MPI_Comm;
typedef struct handler_of_mpi *MPI_Errhandler;
typedef struct info_of_mpi *MPI_Info;
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int MPI_Comm_set_name(MPI_Comm, const char *);
int MPI_Info_create(MPI_Info *);
int MPI_Info_set(MPI_Info, const char *, const char *);
int MPI_Info_get_nkeys(MPI_Info, int *);
int MPI_Info_free(MPI_Info *);

int main(void)
{
    int i, found = 0, sum = 0;
    MPI_Comm world = NULL;
    MPI_Info hints, early;
#pragma cppc init
#pragma cppc execute
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "access_style", "random");
    MPI_Comm_set_errhandler(world, NULL);
#pragma cppc end execute
    MPI_Info_create(&early);
    MPI_Info_set(early, "access_style", "sequential");
    MPI_Info_get_nkeys(early, &sum);
    MPI_Info_free(&early);
    MPI_Comm_set_name(world, "all");
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        MPI_Info_get_nkeys(hints, &found);
        sum += found;
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
