/* Exercises: persistent requests bound to registered memory, made in execute blocks
 * after the register; a reduction operation of the program's own.
 *
 * processes: 4
 */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

#define N 16

static MPI_Op weigh;
static MPI_Request requests[2];
static double *out, *in;

static void combine(void *a, void *b, int *count, MPI_Datatype *type)
{
    const double *x = a;
    double *y = b;
    int k;
    (void)type;
    for (k = 0; k < *count; k++)
        y[k] = y[k] > x[k] ? y[k] + 0.5 * x[k] : x[k] + 0.5 * y[k];
}

int main(int argc, char **argv)
{
    int rank, size, i, k;
    double best = 0, most;
    long counter[2] = {0, 0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cppc init
    out = malloc(N * sizeof *out);
    in = calloc(N, sizeof *in);
    for (k = 0; k < N; k++)
        out[k] = rank * 0.5 + k;
#pragma cppc register(i, best, out[N], in[N], counter)
#pragma cppc execute
    MPI_Send_init(out, N, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, N, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
#pragma cppc end execute
#pragma cppc execute
    MPI_Op_create(combine, 0, &weigh);
#pragma cppc end execute
    for (i = 0; i < 4; i++) {
        long one;
#pragma cppc checkpoint
        one = rank + i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (k = 0; k < N; k++)
            out[k] = 0.5 * out[k] + in[(k + 1) % N] * 0.25;
        MPI_Allreduce(&out[i], &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Reduce(&out[i], &best, 1, MPI_DOUBLE, weigh, 0, MPI_COMM_WORLD);
        MPI_Exscan(&one, &counter[i % 2], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        printf("%d %d %ld %ld %.17g %016llx\n", rank, i, counter[0], counter[1], most,
               sum_reals(SUM_START, out, N));
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Op_free(&weigh);
    free(out);
    free(in);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
