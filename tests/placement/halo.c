/*
 * passes: 12
 * processes: 3
 * The time-step loop calls everything. The first statements of its body leave requests open.
 */
#include <mpi.h>
#include <stdio.h>

#define N 64

static double now[N + 2], next[N + 2];
static int rank, size, left, right;

static void fill(void)
{
    for (int i = 0; i < N + 2; i++)
        now[i] = (rank * N + i) % 7;
}

static void relax(void)
{
    for (int i = 1; i <= N; i++)
        next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    for (int i = 1; i <= N; i++)
        now[i] = next[i];
}

int main(int argc, char **argv)
{
    MPI_Request requests[4];
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    fill();
    for (int step = 0; step < 12; step++) {
        MPI_Irecv(&now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&now[N + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&now[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&now[N], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        relax();
        sum = 0;
        for (int i = 1; i <= N; i++)
            sum += now[i];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        printf("%d %d %.17g %.17g\n", rank, step, sum, all);
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
