/* Files of MPI whose positions and settings begin anew after the checkpoint.
 * reports: nothing
 */
#include <stdio.h>

typedef struct world_of_mpi *MPI_Comm;
typedef struct file_of_mpi *MPI_File;
typedef struct type_of_mpi *MPI_Datatype;
typedef struct info_of_mpi *MPI_Info;
int MPI_File_open(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
int MPI_File_close(MPI_File *);
int MPI_File_read_all(MPI_File, void *, int, MPI_Datatype, void *);
int MPI_File_write_all(MPI_File, const void *, int, MPI_Datatype, void *);
int MPI_File_write_at(MPI_File, long, const void *, int, MPI_Datatype, void *);
int MPI_File_set_view(MPI_File, long, MPI_Datatype, MPI_Datatype, const char *, MPI_Info);

static void transfer(MPI_Comm world, const char *name, int writes, double *x, MPI_Datatype real, int step)
{
    MPI_File file;
    MPI_File_open(world, name, 1, NULL, &file);
    MPI_File_set_view(file, 8 * step, real, real, "native", NULL);
    if (writes)
        MPI_File_write_all(file, x, 1, real, NULL);
    else
        MPI_File_read_all(file, x, 1, real, NULL);
    MPI_File_close(&file);
}

int main(void)
{
    int i;
    double x = 0;
    MPI_Comm world = NULL;
    MPI_Datatype real = NULL;
    MPI_File steps, third;
#pragma cppc init
#pragma cppc execute
    MPI_File_open(world, "steps", 1, NULL, &steps);
    MPI_File_open(world, "third", 1, NULL, &third);
    MPI_File_set_view(third, 8, real, real, "native", NULL);
#pragma cppc end execute
    transfer(world, "input", 0, &x, real, 0);
#pragma cppc register(i, x)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        transfer(world, "output", 1, &x, real, i);
        MPI_File_set_view(steps, 8 * i, real, real, "native", NULL);
        MPI_File_write_all(steps, &x, 1, real, NULL);
        MPI_File_write_at(third, 8 * i, &x, 1, real, NULL);
        x = x * 0.5;
    }
#pragma cppc shutdown
    return 0;
}
