/* The heat equation on a rectangular plate, on any number of MPI processes.
 *
 *     mpirun -n 4 ./heat [rows [columns [steps]]]
 *
 * Each process owns a strip of rows, with one more row above and below that mirrors its neighbours'.
 * A step exchanges those rows and replaces every cell by the mean of its neighbours. The top edge is
 * kept hot. Every process prints nothing but the first, which tells the heat in the plate and the
 * largest change, with all their digits.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *new_strip(int rows, int columns, int is_top)
{
    double *strip = calloc((size_t)(rows + 2) * (size_t)columns, sizeof *strip);
    int c;
    if (strip == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (c = 0; is_top && c < columns; c++)
        strip[c] = 100.0;
    return strip;
}

static void exchange_halo(double *strip, int rows, int columns, int above, int below)
{
    double *first = strip + columns, *last = strip + rows * columns;
    MPI_Sendrecv(first, columns, MPI_DOUBLE, above, 0, last + columns, columns, MPI_DOUBLE, below,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, columns, MPI_DOUBLE, below, 1, strip, columns, MPI_DOUBLE, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One step from `now` to `next`; returns the largest change of a cell. */
static double relax(const double *now, double *next, int rows, int columns)
{
    double change = 0.0;
    int r, c;
    for (r = 1; r <= rows; r++) {
        const double *row = now + r * columns;
        for (c = 1; c < columns - 1; c++) {
            double mean = 0.25 * (row[c - 1] + row[c + 1] + row[c - columns] + row[c + columns]);
            change = fmax(change, fabs(mean - row[c]));
            next[r * columns + c] = mean;
        }
    }
    return change;
}

static double heat_in(const double *strip, int rows, int columns)
{
    double sum = 0.0;
    int k;
    for (k = columns; k < (rows + 1) * columns; k++)
        sum += strip[k];
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, all_rows, columns, steps;
    int rows, above, below, step;
    double *now, *next, *swap;
    double change, local, heat;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc init

    all_rows = argc > 1 ? atoi(argv[1]) : 512;
    columns = argc > 2 ? atoi(argv[2]) : 512;
    steps = argc > 3 ? atoi(argv[3]) : 20000;
    rows = all_rows / size + (rank < all_rows % size);
    above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    now = new_strip(rows, columns, rank == 0);
    next = new_strip(rows, columns, rank == 0);

#pragma cppc register(step, steps, rows, columns, above, below)
#pragma cppc register(now[(rows + 2) * columns], next[(rows + 2) * columns])
    for (step = 0; step < steps; step++) {
#pragma cppc checkpoint
        exchange_halo(now, rows, columns, above, below);
        change = relax(now, next, rows, columns);
        swap = now;
        now = next;
        next = swap;

        if ((step + 1) % 1000 == 0 || step + 1 == steps) {
            local = heat_in(now, rows, columns);
            MPI_Reduce(&local, &heat, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
            local = change;
            MPI_Reduce(&local, &change, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
            if (rank == 0) {
                printf("step %6d  heat %.17g  change %.17g\n", step + 1, heat, change);
                fflush(stdout);
            }
        }
    }

    free(now);
    free(next);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
