/* Exercises: point-to-point messages around a ring, blocking, combined and non-blocking, all
 * received before the next checkpoint; buffers that swap.
 *
 * processes: 4
 */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

#define N 100

static void pass(double *out, double *in, int left, int right)
{
    MPI_Request requests[2];
    MPI_Irecv(in, N, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#pragma cppc checkpoint
    in[0] += 1;
}

int main(int argc, char **argv)
{
    int rank, size, left, right, i, k, token = 0;
    double *now, *next, *t;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
#pragma cppc init
    now = malloc(N * sizeof *now);
    next = calloc(N, sizeof *next);
    for (k = 0; k < N; k++)
        now[k] = rank * N + k;
#pragma cppc register(i, token, now[N], next[N])
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        MPI_Sendrecv(now, N, MPI_DOUBLE, right, 1, next, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (k = 0; k < N; k++)
            now[k] = 0.75 * now[k] + 0.25 * next[(k + i) % N];
        pass(now, next, left, right);
        t = now;
        now = next;
        next = t;
        if (rank == 0) {
            token++;
            MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token = token * 2 + rank;
            MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
        }
        printf("%d %d %d %016llx\n", rank, i, token, sum_reals(SUM_START, now, N));
    }
    free(now);
    free(next);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
