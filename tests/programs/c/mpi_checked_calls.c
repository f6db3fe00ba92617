/* Exercises: macros and conditions that check the status of a call. They are around calls that create handles, open files and
 * allocate memory. A block around a part of a statement that may return has a variable of its own.
 *
 * processes: 2
 * writes: files
 */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

#define STOP(call) do { int status = (call); if (status != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, status); } while (0)
#define RETURN(call) do { int status = (call); if (status != MPI_SUCCESS) return status; } while (0)
#define NEEDED(value) do { if (!(value)) { perror(#value); exit(1); } } while (0)
#define ALLOCATE(p, n) do { p = malloc((n) * sizeof *(p)); if (!(p)) exit(2); } while (0)

static MPI_Comm halves, all;
static FILE *written;

static int set_up(int rank, double **u, int n)
{
    ALLOCATE(*u, n);
#pragma cppc register((*u)[n])
    {
        int result;
#pragma cppc execute capture(rank)
        result = MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
#pragma cppc end execute
        RETURN(result);
    }
#pragma cppc execute
    STOP(MPI_Comm_dup(MPI_COMM_WORLD, &all));
#pragma cppc end execute
#pragma cppc execute capture(rank) file(written, (rank == 0 ? "first.txt" : "second.txt"))
    NEEDED(written = fopen(rank == 0 ? "first.txt" : "second.txt", "w"));
#pragma cppc end execute
    return 0;
}

int main(int argc, char **argv)
{
    int rank, n, step;
    double *u, sum, half;
    STOP(MPI_Init(&argc, &argv));
#pragma cppc init
    STOP(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    n = 20 + rank;
    if (set_up(rank, &u, n) != 0) return 1;
    for (int i = 0; i < n; i++) u[i] = i + rank;
#pragma cppc register(rank, n)
    for (step = 0; step < 8; step++) {
#pragma cppc register(step)
#pragma cppc checkpoint
        for (int i = 0; i < n; i++) u[i] = 0.5 * u[i] + step;
        STOP(MPI_Allreduce(&u[n - 1], &sum, 1, MPI_DOUBLE, MPI_SUM, all));
        STOP(MPI_Allreduce(&u[step], &half, 1, MPI_DOUBLE, MPI_SUM, halves));
        fprintf(written, "%d %a\n", step, half);
        if (rank == 0) printf("%d %a\n", step, sum);
        fflush(stdout);
    }
    fclose(written);
    free(u);
    STOP(MPI_Comm_free(&halves));
    STOP(MPI_Comm_free(&all));
#pragma cppc shutdown
    STOP(MPI_Finalize());
    return 0;
}
