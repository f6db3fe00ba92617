/* Files of MPI: positions and views that are lost, and others that are set after the checkpoint. `lasting` continues at its
 * position. `other` is opened in each step, `third` is used with an explicit offset, and `fourth` is moved to a known place.
 * reports: MPI_File_read, MPI_File_set_atomicity, MPI_File_set_view, MPI_File_write_ordered
 */
#include <stdio.h>

typedef struct world_of_mpi *MPI_Comm;
typedef struct file_of_mpi *MPI_File;
typedef struct type_of_mpi *MPI_Datatype;
typedef struct info_of_mpi *MPI_Info;
int MPI_File_open(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
int MPI_File_close(MPI_File *);
int MPI_File_read(MPI_File, void *, int, MPI_Datatype, void *);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, void *);
int MPI_File_write_at(MPI_File, long, const void *, int, MPI_Datatype, void *);
int MPI_File_write_ordered(MPI_File, const void *, int, MPI_Datatype, void *);
int MPI_File_seek(MPI_File, long, int);
int MPI_File_set_view(MPI_File, long, MPI_Datatype, MPI_Datatype, const char *, MPI_Info);
int MPI_File_set_atomicity(MPI_File, int);

static void add(MPI_File file, double value, MPI_Datatype type)
{
    MPI_File_write_ordered(file, &value, 1, type, NULL);
}

int main(void)
{
    int i;
    double x = 0;
    MPI_Comm world = NULL;
    MPI_Datatype real = NULL;
    MPI_File lasting, other, third, fourth, input;
#pragma cppc init
#pragma cppc execute
    MPI_File_open(world, "lasting", 1, NULL, &lasting);
    MPI_File_open(world, "third", 1, NULL, &third);
    MPI_File_open(world, "fourth", 1, NULL, &fourth);
    MPI_File_open(world, "input", 1, NULL, &input);
#pragma cppc end execute
    MPI_File_set_view(third, 8, real, real, "native", NULL);
    MPI_File_set_atomicity(third, 1);
    MPI_File_read(input, &x, 1, real, NULL);
#pragma cppc register(i, x)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        add(lasting, x, real);
        MPI_File_open(world, "other", 1, NULL, &other);
        MPI_File_write(other, &x, 1, real, NULL);
        MPI_File_close(&other);
        MPI_File_write_at(third, 8 * i, &x, 1, real, NULL);
        MPI_File_seek(fourth, 8 * i, 600);
        MPI_File_write(fourth, &x, 1, real, NULL);
        x = x * 0.5;
    }
    MPI_File_read(input, &x, 1, real, NULL);
#pragma cppc shutdown
    return 0;
}
