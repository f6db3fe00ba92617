/* Several threads of each process exchange messages, with several kinds of calls, between checkpoints.
 *
 * processes: 2
 * flags: -pthread
 * rehearse: never (some MPIs have no threads)
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, MESSAGES = 40 };

static int rank;
static long sums[THREADS];

static void *exchange(void *argument)
{
    int thread = (int)((long *)argument - sums), k;
    for (k = 0; k < MESSAGES; k++) {
        int value = k * (rank + 1) + thread, got;
        MPI_Request requests[2];
        MPI_Irecv(&got, 1, MPI_INT, k % 2 ? MPI_ANY_SOURCE : 1 - rank, thread, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&value, 1, MPI_INT, 1 - rank, thread, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        sums[thread] += got;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, i, t;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cppc init
#pragma cppc register(i, sums)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        for (t = 0; t < THREADS; t++)
            pthread_create(&threads[t], NULL, exchange, &sums[t]);
        for (t = 0; t < THREADS; t++)
            pthread_join(threads[t], NULL);
        printf("%d %d %ld %ld %ld\n", rank, i, sums[0], sums[1], sums[2]);
    }
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
