/* The eigenvalues of a symmetric positive definite matrix, on any number of MPI processes: the
 * program that the papers show (Fig. 5), made whole.
 *
 *     mpirun -n 4 ./matrix SIZE ITERATIONS FILE
 *
 * FILE holds SIZE x SIZE numbers. Jacobi's method, one-sided: pairs of columns are turned until they
 * are orthogonal to each other; in the end the length of a column is an eigenvalue. Each process
 * holds two blocks of columns. After each round the blocks move on, as players do in a tournament,
 * so that in one iteration every block meets every other.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the matrix, followed by columns of zeros until there are `columns` of them. */
static double *mread(int size, int columns, const char *path)
{
    double *matrix = calloc((size_t)size * (size_t)columns, sizeof *matrix);
    FILE *file = fopen(path, "r");
    int k;
    if (matrix == NULL || file == NULL) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (k = 0; k < size * size; k++)
        if (fscanf(file, "%lf", &matrix[k]) != 1) {
            fprintf(stderr, "%s: too few numbers for a matrix of %d x %d\n", path, size, size);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    fclose(file);
    return matrix;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    int k;
    for (k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Turns two columns until they are orthogonal; returns how far from it they were. */
static double turn(double *a, double *b, int n)
{
    double aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
    double cotangent, tangent, cosine, sine;
    int k;
    if (ab == 0.0)
        return 0.0;
    cotangent = (bb - aa) / (2.0 * ab);
    tangent = (cotangent < 0 ? -1.0 : 1.0) / (fabs(cotangent) + sqrt(1.0 + cotangent * cotangent));
    cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    sine = cosine * tangent;
    for (k = 0; k < n; k++) {
        double old = a[k];
        a[k] = cosine * old - sine * b[k];
        b[k] = sine * old + cosine * b[k];
    }
    return fabs(ab) / sqrt(aa * bb);
}

/* Turns all pairs of the columns that this process holds. */
static double turn_all(double *matrix, int n, int columns)
{
    double worst = 0.0;
    int p, q;
    for (p = 0; p < columns; p++)
        for (q = p + 1; q < columns; q++)
            worst = fmax(worst, turn(matrix + p * n, matrix + q * n, n));
    return worst;
}

/* Moves the blocks on by one place: upper blocks to the right, lower ones to the left; the first
 * upper block stays where it is. */
static void move_blocks(const double *from, double *to, int block, MPI_Comm ring)
{
    const double *lower = from + block;
    MPI_Request requests[4];
    int rank, size, count = 0;

    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &size);
    if (size == 1) {
        memcpy(to, from, 2 * (size_t)block * sizeof *to);
        return;
    }
    if (rank == 0)
        memcpy(to, from, (size_t)block * sizeof *to);
    else
        MPI_Irecv(to, block, MPI_DOUBLE, rank - 1, 0, ring, &requests[count++]);
    if (rank == size - 1)
        memcpy(to + block, from, (size_t)block * sizeof *to);
    else {
        MPI_Irecv(to + block, block, MPI_DOUBLE, rank + 1, 1, ring, &requests[count++]);
        MPI_Isend(rank == 0 ? lower : from, block, MPI_DOUBLE, rank + 1, 0, ring,
                  &requests[count++]);
    }
    if (rank > 0)
        MPI_Isend(lower, block, MPI_DOUBLE, rank - 1, 1, ring, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

int main(int argc, char **argv)
{
    double *matrix, *moved, *swap, *whole = NULL, *lengths, *all;
    double worst;
    int rank, size, matrix_size, columns, cells, i, niters, round, k;
    char *matrixf;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
#pragma cppc init

    /* Command-line parameters */
    if (argc < 4) {
        fprintf(stderr, "usage: matrix SIZE ITERATIONS FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    matrix_size = atoi(argv[1]);
    niters = atoi(argv[2]);
    matrixf = argv[3];

#pragma cppc execute
    /* Inter-process communication initialization */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &size);
#pragma cppc end execute

    /* Matrix data input and distribution */
    columns = 2 * ((matrix_size + 2 * size - 1) / (2 * size));
    cells = columns * matrix_size;
    if (rank == 0)
        whole = mread(matrix_size, columns * size, matrixf);
    matrix = malloc((size_t)cells * sizeof *matrix);
    moved = malloc((size_t)cells * sizeof *moved);
    MPI_Scatter(whole, cells, MPI_DOUBLE, matrix, cells, MPI_DOUBLE, 0, ring);
    free(whole);

#pragma cppc register(i, niters, matrix_size, columns, matrix[cells], moved[cells])
    for (i = 0; i < niters; i++) {
#pragma cppc checkpoint
        /* Matrix diagonalization */
        worst = 0.0;
        for (round = 0; round < 2 * size - 1; round++) {
            worst = fmax(worst, turn_all(matrix, matrix_size, columns));
            move_blocks(matrix, moved, cells / 2, ring);
            swap = matrix;
            matrix = moved;
            moved = swap;
        }
        MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, ring);
        if (rank == 0) {
            printf("iteration %2d  furthest from orthogonal %.17g\n", i + 1, worst);
            fflush(stdout);
        }
    }

#pragma cppc unregister(i, niters, moved)
    free(moved);
#pragma cppc checkpoint

    /* Diagonalized matrix output */
    lengths = malloc((size_t)columns * sizeof *lengths);
    all = malloc((size_t)(columns * size) * sizeof *all);
    for (k = 0; k < columns; k++) {
        const double *column = matrix + k * matrix_size;
        lengths[k] = sqrt(dot(column, column, matrix_size));
    }
    MPI_Gather(lengths, columns, MPI_DOUBLE, all, columns, MPI_DOUBLE, 0, ring);
    if (rank == 0) {
        qsort(all, (size_t)(columns * size), sizeof *all, descending);
        for (k = 0; k < matrix_size; k++)
            printf("eigenvalue %2d  %.17g\n", k + 1, all[k]);
    }
    free(matrix);
    free(lengths);
    free(all);
    MPI_Comm_free(&ring);

#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
