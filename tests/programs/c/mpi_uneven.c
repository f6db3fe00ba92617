/* Exercises: registers whose sizes differ from rank to rank, one empty on some ranks, and which
 * grow at different speeds.
 *
 * processes: 4
 */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

int main(int argc, char **argv)
{
    double *cells, *extra = NULL, local, total = 0;
    int rank, size, i, k, n, extras = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc init
    n = 5 + rank * rank * 3;
    cells = malloc((size_t)n * sizeof *cells);
    for (k = 0; k < n; k++)
        cells[k] = rank + k * 0.5;
#pragma cppc register(i, total, n, cells[n], extra[extras])
    for (i = 0; i < 5; i++) {
        if (i % size <= rank) {
            extras += rank;
            extra = realloc(extra, (size_t)(extras + 1) * sizeof *extra);
            for (k = extras - rank; k < extras; k++)
                extra[k] = i * 10 + k;
#pragma cppc register(extra[extras])
        }
#pragma cppc checkpoint
        local = 0;
        for (k = 0; k < n; k++)
            local += cells[k] *= 0.9;
        for (k = 0; k < extras; k++)
            local += extra[k] += 0.1;
        MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += local;
        cells[i % n] += total * 0.001;
        printf("%d %d %d %d %.17g\n", rank, i, n, extras, total);
    }
    free(cells);
    free(extra);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
