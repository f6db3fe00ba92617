/* Settings of MPI that are made after `init`: handlers of errors, names, attributes and info objects. `late` is set after the
 * checkpoint, `early` is used only before it, and the name of `types` is never asked.
 * reports: MPI_Comm_set_attr, MPI_Comm_set_errhandler, MPI_Comm_set_name, MPI_Info_set, key
 * all: MPI_Comm_set_attr, MPI_Comm_set_errhandler, MPI_Comm_set_name, MPI_Info_set, kept, key
 */
#include <stdio.h>

typedef struct world_of_mpi *MPI_Comm;
typedef struct handler_of_mpi *MPI_Errhandler;
typedef struct info_of_mpi *MPI_Info;
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int MPI_Comm_set_name(MPI_Comm, const char *);
int MPI_Comm_get_name(MPI_Comm, char *, int *);
int MPI_Comm_create_keyval(void *, void *, int *, void *);
int MPI_Comm_set_attr(MPI_Comm, int, void *);
int MPI_Comm_get_attr(MPI_Comm, int, void *, int *);
int MPI_Info_create(MPI_Info *);
int MPI_Info_set(MPI_Info, const char *, const char *);
int MPI_Info_get_nkeys(MPI_Info, int *);
int MPI_Info_free(MPI_Info *);

int main(void)
{
    static int weight = 3;
    int i, key, length, found, *kept = &weight, sum = 0;
    char name[64];
    MPI_Comm world = NULL;
    MPI_Info hints, early, late;
#pragma cppc init
#pragma cppc execute
    MPI_Info_create(&hints);
    MPI_Info_create(&late);
#pragma cppc end execute
    MPI_Info_create(&early);
    MPI_Info_set(early, "access_style", "sequential");
    MPI_Info_free(&early);
    MPI_Info_set(hints, "access_style", "random");
    MPI_Comm_set_errhandler(world, NULL);
    MPI_Comm_set_name(world, "all");
    MPI_Comm_create_keyval(NULL, NULL, &key, NULL);
    MPI_Comm_set_attr(world, key, &weight);
#pragma cppc register(i, sum, weight)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        MPI_Info_get_nkeys(hints, &found);
        MPI_Comm_get_name(world, name, &length);
        MPI_Comm_get_attr(world, key, &kept, &found);
        MPI_Info_set(late, "access_style", "random");
        sum += *kept + found + length;
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
