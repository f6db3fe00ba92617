/* Diagonalizes a symmetric matrix, and survives a kill: the calls of CPPC written by hand, without the
 * precompiler, in the form of the papers.
 *
 * There is a label at each place that a restart has to pass. An array contains the labels, and the program goes
 * through it with an index. All conditional jumps are the same: CPPC_Jump_next() is not zero while a restart is
 * in progress. An index is not enough if labels are passed more than once, or if a procedure is called from two
 * places. For such programs, the precompiler writes frames and numbered blocks (docs/restart-model.md). */

#include <cppc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define JUMP_NEXT                                                  \
    if (CPPC_Jump_next()) {                                        \
        jump_index = (jump_index + 1) % labels_count;              \
        goto *jump_labels[jump_index];                             \
    }

/* The sum of the squares off the diagonal: what the rotations make small. */
static double off_diagonal(const double *matrix, int size)
{
    double sum = 0;
    int row, column;
    for (row = 0; row < size; row++) {
        for (column = 0; column < row; column++) {
            sum += 2 * matrix[row * size + column] * matrix[row * size + column];
        }
    }
    return sum;
}

/* One sweep of Jacobi's rotations. */
static void sweep(double *matrix, int size)
{
    int p, q, k;
    for (p = 0; p < size; p++) {
        for (q = p + 1; q < size; q++) {
            double apq = matrix[p * size + q];
            double theta, t, c, s;
            if (apq == 0) continue;
            theta = (matrix[q * size + q] - matrix[p * size + p]) / (2 * apq);
            t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
            c = 1 / sqrt(t * t + 1);
            s = t * c;
            for (k = 0; k < size; k++) {
                double kp = matrix[k * size + p], kq = matrix[k * size + q];
                matrix[k * size + p] = c * kp - s * kq;
                matrix[k * size + q] = s * kp + c * kq;
            }
            for (k = 0; k < size; k++) {
                double pk = matrix[p * size + k], qk = matrix[q * size + k];
                matrix[p * size + k] = c * pk - s * qk;
                matrix[q * size + k] = s * pk + c * qk;
            }
        }
    }
}

int main(int argc, char **argv)
{
    void *jump_labels[] = { &&mandatory_block_1, &&register_block_1, &&checkpoint_1, &&unregister_block_1, &&checkpoint_2 };
    const int labels_count = sizeof jump_labels / sizeof *jump_labels;
    int jump_index = -1;

    double *matrix = NULL, trace = 0;
    int matrix_size, i = 0, niters, row, column;
    FILE *progress;

    /* Initialization: what is meant for CPPC is taken out of argv; a restart begins here. */
    if (CPPC_Init(&argc, &argv) != CPPC_SUCCESS) {
        fprintf(stderr, "no checkpoints\n");
    }
    JUMP_NEXT

    /* Command-line parameters and input. */
    matrix_size = argc > 1 ? atoi(argv[1]) : 60;
    niters = argc > 2 ? atoi(argv[2]) : 8;
    matrix = malloc((size_t) matrix_size * matrix_size * sizeof *matrix);
    for (row = 0; row < matrix_size; row++) {
        for (column = 0; column < matrix_size; column++) {
            matrix[row * matrix_size + column] = 1.0 / (row + column + 1);
        }
    }

    /* Non-portable state is not saved but made again. */
mandatory_block_1:
    progress = fdopen(dup(STDERR_FILENO), "w");
    JUMP_NEXT

register_block_1:
    CPPC_Register(0, &i, 1, CPPC_INT, "i", CPPC_STATIC);
    CPPC_Register(0, &niters, 1, CPPC_INT, "niters", CPPC_STATIC);
    CPPC_Register(0, &matrix_size, 1, CPPC_INT, "matrix_size", CPPC_STATIC);
    matrix = CPPC_Register(0, matrix, (size_t) matrix_size * matrix_size, CPPC_DOUBLE, "matrix", CPPC_DYNAMIC);
    JUMP_NEXT

    for (i = 0; i < niters; i++) {
checkpoint_1:
        CPPC_Do_checkpoint(0);
        JUMP_NEXT
        sweep(matrix, matrix_size);
        fprintf(progress, "sweep %d: %.3e off the diagonal\n", i + 1, off_diagonal(matrix, matrix_size));
        fflush(progress);
        if (getenv("PAUSE_MS") != NULL) usleep(1000 * atoi(getenv("PAUSE_MS")));
    }

    /* What is no longer needed is no longer saved; in a restart this runs again, like a block. */
unregister_block_1:
    CPPC_Unregister(&i);
    CPPC_Unregister(&niters);
    JUMP_NEXT

checkpoint_2:
    CPPC_Do_checkpoint(1);
    JUMP_NEXT

    for (row = 0; row < matrix_size; row++) {
        trace += matrix[row * matrix_size + row];
        if (row < 4) printf("%.15g\n", matrix[row * matrix_size + row]);
    }
    printf("trace %.15g\n", trace);
    fclose(progress);
    free(matrix);
    return CPPC_Shutdown();
}
