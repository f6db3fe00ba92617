/* Exercises: a mirror for each of several processes, which gets time to be copied between two checkpoints.
 *
 * processes: 4
 */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

enum { CELLS = 20000, STEPS = 20 };

int main(int argc, char **argv)
{
    double *cells, local, total = 0;
    int rank, i, k;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
    cells = malloc(CELLS * sizeof *cells);
    for (k = 0; k < CELLS; k++)
        cells[k] = rank + k * 0.5;
#pragma cppc register(i, total, cells[CELLS])
    for (i = 0; i < STEPS; i++) {
#pragma cppc checkpoint
        usleep(25000);
        local = 0;
        for (k = 0; k < 100; k++)
            local += cells[i * 100 + k] *= 0.9;
        MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += local;
        show("total", i, sum_reals(SUM_START, &total, 1));
    }
    free(cells);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
