/* Heat in one dimension on all processes, in the contract's form: communicators made in a loop and a
 * halo exchange. KILL_AT=k, KILL_RANK=r: process r ends itself after its k-th checkpoint. */

#include <cppc.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JUMP if ((cppc_next = CPPC_Jump_next()) != 0) goto cppc_jump

static MPI_Comm colours[3];

static void maybe_die(void)
{
    static int passed;
    int rank;
    const char *at = getenv("KILL_AT"), *who = getenv("KILL_RANK");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (at != NULL && rank == (who ? atoi(who) : 0) && ++passed == atoi(at)) {
        kill(getpid(), SIGKILL);
    }
}

static void exchange(double *u, int n, int rank, int size)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, left, 0, u + n + 1, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + n, 1, MPI_DOUBLE, right, 1, u, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    struct { double *u; double *v; int step; int capture_1; double sum; } cppc;
    double *u = NULL, *v = NULL, *t;
    double sum = 0, part, all;
    int n = 100, steps = 6, step = 0, i, j, rank, size;
    int cppc_next = CPPC_Enter("main", 4);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_4;
    case 5: goto cppc_exit;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CPPC_Identify("heat-1");
    if (CPPC_Init(&argc, &argv) != CPPC_SUCCESS) return 9;
    JUMP;
    for (j = 0; j < 3; j++) {
cppc_2:
        cppc.capture_1 = j;
        CPPC_Execute(2);
        CPPC_Capture(&cppc.capture_1, 1, CPPC_INT, "j");
        j = cppc.capture_1;
        MPI_Comm_split(MPI_COMM_WORLD, (rank + j) % 2, rank, &colours[j]);
        if ((cppc_next = CPPC_Jump_next()) != 0) { j = cppc.capture_1; goto cppc_jump; }
    }
    u = calloc(n + 2, sizeof *u);
    v = calloc(n + 2, sizeof *v);
    for (i = 1; i <= n; i++) u[i] = rank * n + i;
cppc_3:
    CPPC_Block(3);
    cppc.step = step;
    CPPC_Register(0, &cppc.step, 1, CPPC_INT, "step", CPPC_AUTOMATIC);
    step = cppc.step;
    cppc.sum = sum;
    CPPC_Register(0, &cppc.sum, 1, CPPC_DOUBLE, "sum", CPPC_AUTOMATIC);
    sum = cppc.sum;
    cppc.u = u;
    CPPC_Register_pointer(0, &cppc.u, n + 2, CPPC_DOUBLE, "u", CPPC_AUTOMATIC);
    u = cppc.u;
    cppc.v = v;
    CPPC_Register_pointer(0, &cppc.v, n + 2, CPPC_DOUBLE, "v", CPPC_AUTOMATIC);
    v = cppc.v;
    JUMP;
    for (step = 0; step < steps; step++) {
cppc_4:
        cppc.step = step; cppc.sum = sum; cppc.u = u; cppc.v = v;
        if (CPPC_Do_checkpoint(4)) { step = cppc.step; sum = cppc.sum; u = cppc.u; v = cppc.v; }
        else maybe_die();
        JUMP;
        exchange(u, n, rank, size);
        for (i = 1; i <= n; i++) v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        t = u; u = v; v = t;
        for (part = 0, i = 1; i <= n; i++) part += u[i];
        MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, colours[step % 3]);
        sum += all;
    }
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d processes, %d argument, sum %a\n", size, argc, all);
    free(u); free(v);
    CPPC_Shutdown();
    MPI_Finalize();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return 0;
}
