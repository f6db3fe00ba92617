/* Exercises: a program in the BSP model: one-sided operations on memory that is registered with the library, and
 * messages with tags. Checkpoints follow a `bsp_sync` after which all messages are moved. The registrations with the
 * library are repeated in a restart.
 *
 * processes: 4
 * rehearse: never (it needs a library)
 */
#include <stdlib.h>

#include "bsp.h"
#include "check.h"

#define N 24

int main(void)
{
    int pid, procs, left, right, i, k;
    double *u, *next, edges[2] = {0, 0}, least = 0, ends[2];
    double shared = 0;

    bsp_begin(4);
    pid = bsp_pid();
    procs = bsp_nprocs();
    left = (pid + procs - 1) % procs;
    right = (pid + 1) % procs;
#pragma cppc init
    u = malloc(N * sizeof *u);
    next = calloc(N, sizeof *next);
    for (k = 0; k < N; k++)
        u[k] = pid + 0.125 * k;
#pragma cppc register(i, u[N], next[N], edges, least, shared)
#pragma cppc execute
    {
        int tag_bytes = sizeof(int);
        bsp_set_tagsize(&tag_bytes);
        bsp_push_reg(edges, sizeof edges);
        bsp_push_reg(&shared, sizeof shared);
        bsp_sync();
    }
#pragma cppc end execute
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        /* The ends of a part are written into the edges of its neighbours. */
        ends[0] = u[0];
        ends[1] = u[N - 1];
        bsp_put(left, &ends[0], edges, sizeof(double), sizeof(double));
        bsp_put(right, &ends[1], edges, 0, sizeof(double));
        bsp_sync();
#pragma cppc checkpoint
        for (k = 0; k < N; k++)
            next[k] = 0.5 * u[k] + 0.25 * ((k ? u[k - 1] : edges[0]) + (k + 1 < N ? u[k + 1] : edges[1]));
        for (k = 0; k < N; k++)
            u[k] = next[k];
        shared = u[i];
        bsp_sync();
        bsp_get((pid + i) % procs, &shared, 0, &least, sizeof least);
        bsp_send((pid + i) % procs, &i, &u[N / 2], sizeof u[0]);
        bsp_sync();
        {
            int status, tag, messages, bytes;
            double value;
            bsp_qsize(&messages, &bytes);
            for (k = 0; k < messages; k++) {
                bsp_get_tag(&status, &tag);
                bsp_move(&value, status);
                least += value * (tag + 1);
            }
        }
#pragma cppc checkpoint
        printf("%d %d %.17g %016llx\n", pid, i, least, sum_reals(SUM_START, u, N));
    }
    bsp_pop_reg(&shared);
    bsp_pop_reg(edges);
    bsp_sync();
    free(u);
    free(next);
#pragma cppc shutdown
    bsp_end();
    return 0;
}
