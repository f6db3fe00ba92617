/* Uses HDF5 itself, in its own thread, while its state is written with it in another; and reads what
   it has written with the automatic messages of the library on. */

#include <hdf5.h>

#include <stdio.h>
#include <stdlib.h>

#define CELLS 20000

static double exchange(double *cells, int step)
{
    hsize_t count = CELLS;
    double sum = 0;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, space, set;
    H5Pset_fapl_core(access, 1 << 20, 0);
    file = H5Fcreate("in-memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    space = H5Screate_simple(1, &count, NULL);
    set = H5Dcreate2(file, "cells", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < CELLS; i++)
        cells[i] = cells[i] * 0.5 + i % (step + 2);
    if (H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) < 0 ||
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) < 0)
        exit(3);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
    H5Pclose(access);
    for (int i = 0; i < CELLS; i++)
        sum += cells[i];
    return sum;
}

int main(int argc, char **argv)
{
    double *cells = calloc(CELLS, sizeof *cells);
    int step = 0;
    H5E_auto2_t printer;
    void *data;
#pragma cppc init
#pragma cppc register(step, cells[CELLS])
    for (; step < 30; step++) {
#pragma cppc checkpoint
        printf("%d %.6f\n", step, exchange(cells, step));
        fflush(stdout);
    }
#pragma cppc shutdown
    H5Eget_auto2(H5E_DEFAULT, &printer, &data);
    printf("messages %s\n", printer != NULL ? "on" : "off");
    free(cells);
    return argc > 5 && argv == NULL;
}
