/* Two arrays and some scalars as a plain program writes them with HDF5, durably: for each line that
 * comes in, the file is written once, and the seconds that took are printed. */

#include <hdf5.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SCALARS 20

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void put(hid_t file, const char *name, hsize_t count, const double *values)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        exit(1);
    H5Dclose(set);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    hsize_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    double *first = malloc(count * sizeof *first), *second = malloc(count * sizeof *second);
    char line[16], name[32];
    if (count == 0 || first == NULL || second == NULL)
        return 2;
    for (hsize_t i = 0; i < count; i++) {
        first[i] = (double)i * 3;
        second[i] = (double)i * 40503;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        double began = now();
        hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        int descriptor;
        if (file < 0)
            return 1;
        put(file, "first", count, first);
        put(file, "second", count, second);
        for (int i = 0; i < SCALARS; i++) {
            snprintf(name, sizeof name, "value%d", i);
            put(file, name, 1, first + i);
        }
        if (H5Fclose(file) < 0 || (descriptor = open(argv[1], O_RDWR)) < 0 || fsync(descriptor) != 0)
            return 1;
        close(descriptor);
        printf("%.9f\n", now() - began);
        fflush(stdout);
    }
    return 0;
}
