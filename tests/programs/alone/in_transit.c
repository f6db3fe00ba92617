/* Each argument names one kind of communication. It is open at the first checkpoint of an iteration and complete at the
 * second, except for the kinds whose names begin with `complete`, which are complete at both.
 *
 * processes: 2
 * writes: files
 * rehearse: never (its state files are not complete)
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const char *kind;

static int is(const char *name)
{
    return !strcmp(kind, name);
}

/* Two communicators whose handles differ from process to process. */
static void make_communicators(int rank, MPI_Comm *split, MPI_Comm *copy)
{
    MPI_Comm extra = MPI_COMM_NULL;
    if (rank == 1)
        MPI_Comm_dup(MPI_COMM_SELF, &extra);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, split);
    MPI_Comm_dup(*split, copy);
    if (rank == 1)
        MPI_Comm_free(&extra);
}

int main(int argc, char **argv)
{
    int rank, peer, i, k, value, got = 0, sum = 0, ready = 0, *memory;
    int here, there;
    char buffer[1000 + MPI_BSEND_OVERHEAD];
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm split, copy, between, later = MPI_COMM_NULL;
    MPI_Win win;
    MPI_File file;
    MPI_Group all;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    void *detached;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
#pragma cppc init
    MPI_Buffer_attach(buffer, sizeof buffer);
#pragma cppc register(i, sum)
    make_communicators(rank, &split, &copy);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, peer, 17, &between);
    MPI_Comm_rank(split, &here);
    there = 1 - here;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_File_open(MPI_COMM_WORLD, "file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Win_fence(0, win);
    for (i = 1; i < argc; i++) {
        kind = argv[i];
        if (is("persistent") || is("complete_persistent")) {
            MPI_Send_init(&value, 1, MPI_INT, there, 9, copy, &requests[0]);
            MPI_Recv_init(&got, 1, MPI_INT, there, 9, copy, &requests[1]);
        }
        value = 10 * rank + i;
        if (is("send") && rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        if (is("three_sends") && rank == 0)
            for (k = 0; k < 3; k++)
                MPI_Send(&value, 1, MPI_INT, 1, 5 + 1024 * k, MPI_COMM_WORLD); /* three_sends */
        if (is("bsend") && rank == 0) MPI_Bsend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        if (is("split") && here == 0) MPI_Send(&value, 1, MPI_INT, 1, 5, split);
        if (is("between_groups") && rank == 0) MPI_Send(&value, 1, MPI_INT, 0, 5, between);
#if MPI_VERSION >= 4
        if (is("large") && rank == 0) MPI_Send_c(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        if (is("both_ways")) MPI_Isendrecv(&value, 1, MPI_INT, there, 5, &got, 1, MPI_INT, there, 5, copy, &requests[0]);
        if (is("partitions") || is("complete_partitions")) {
            if (rank == 0)
                MPI_Psend_init(&value, 1, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
            else
                MPI_Precv_init(&got, 1, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
            MPI_Start(&requests[0]); /* partitions */
            if (rank == 0)
                MPI_Pready(0, requests[0]);
            if (is("complete_partitions"))
                MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        }
#endif
        if (is("isend")) MPI_Isend(&value, 1, MPI_INT, there, 6, copy, &requests[0]);
        if (is("irecv")) MPI_Irecv(&got, 1, MPI_INT, there, 6, copy, &requests[0]);
        if (is("sent_but_not_waited")) {
            MPI_Isend(&value, 1, MPI_INT, there, 6, copy, &requests[0]); /* sent_but_not_waited */
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
        }
        if (is("freed_send") && rank == 0) {
            MPI_Isend(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &requests[0]); /* freed_send */
            MPI_Request_free(&requests[0]);
        }
        if (is("persistent")) MPI_Startall(2, requests);
        if (is("reduction")) MPI_Iallreduce(&value, &got, 1, MPI_INT, MPI_SUM, copy, &requests[0]);
        if (is("neighbours")) MPI_Ibarrier(copy, &requests[0]);
        if (is("duplicate")) MPI_Comm_idup(copy, &later, &requests[0]);
        if (is("matched")) {
            if (rank == 0)
                MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
            else
                MPI_Mprobe(0, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* matched */
        }
        if (is("put")) MPI_Put(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
        if (is("lock") && rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        if (is("start")) {
            MPI_Win_post(all, 0, win); /* start */
            MPI_Win_start(all, 0, win);
        }
        if (is("iwrite")) MPI_File_iwrite_at(file, 4 * rank, &value, 1, MPI_INT, &requests[0]);
        if (is("write_begin")) MPI_File_write_at_all_begin(file, 4 * rank, &value, 1, MPI_INT);
        if (is("complete_persistent")) {
            MPI_Startall(2, requests);
            for (k = 0; k < 2; k++) {
                int which;
                MPI_Waitany(2, requests, &which, &status);
            }
        }
        if (is("complete_exchange"))
            MPI_Sendrecv(&value, 1, MPI_INT, there, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
        if (is("complete_border")) {
            int to = rank ? MPI_PROC_NULL : 1, from = rank ? 0 : MPI_PROC_NULL;
            MPI_Irecv(&got, 1, MPI_INT, from, 3, MPI_COMM_WORLD, &requests[0]);
            MPI_Send(&value, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
            for (ready = 0; !ready;)
                MPI_Testall(2, requests, &ready, MPI_STATUSES_IGNORE);
        }
        if (is("complete_freed")) {
            MPI_Irecv(&got, 1, MPI_INT, there, 4, copy, &requests[0]);
            MPI_Request_free(&requests[0]);
            MPI_Ssend(&value, 1, MPI_INT, there, 4, copy);
            MPI_Barrier(copy);
            MPI_Sendrecv(&value, 1, MPI_INT, there, 4, &got, 1, MPI_INT, there, 4, copy, MPI_STATUS_IGNORE);
        }
        if (is("complete_cancelled")) {
            MPI_Irecv(&got, 1, MPI_INT, there, 99, copy, &requests[0]);
            MPI_Cancel(&requests[0]);
            MPI_Wait(&requests[0], &status);
        }
        if (is("complete_some")) {
            int done, which[2];
            MPI_Isend(&value, 1, MPI_INT, there, 2, copy, &requests[0]);
            MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 2, copy, &requests[1]);
            for (k = 0; k < 2; k += done > 0 ? done : 0)
                MPI_Testsome(2, requests, &done, which, MPI_STATUSES_IGNORE);
        }
        if (is("complete_communicators")) {
            MPI_Comm one, two;
            MPI_Comm_dup(split, &one);
            MPI_Isend(&value, 1, MPI_INT, there, 2, one, &requests[0]);
            MPI_Irecv(&got, 1, MPI_INT, there, 2, one, &requests[1]);
            MPI_Comm_split(one, rank, 0, &two);
            MPI_Comm_free(&one);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
            MPI_Sendrecv(&value, 1, MPI_INT, 0, 8, &got, 1, MPI_INT, 0, 8, two, MPI_STATUS_IGNORE);
            MPI_Comm_free(&two);
        }
        if (is("complete_lock_all")) {
            MPI_Win_lock_all(0, win);
            MPI_Put(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
            MPI_Win_flush_all(win);
            MPI_Barrier(MPI_COMM_WORLD);
        }
#pragma cppc checkpoint
        if (is("send") && rank == 1) MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (is("three_sends") && rank == 1)
            for (k = 0; k < 3; k++)
                MPI_Recv(&got, 1, MPI_INT, 0, 5 + 1024 * k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (is("bsend") && rank == 1) MPI_Recv(&got, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (is("split") && here == 1) MPI_Recv(&got, 1, MPI_INT, 0, 5, split, MPI_STATUS_IGNORE);
        if (is("isend")) MPI_Recv(&got, 1, MPI_INT, there, 6, copy, MPI_STATUS_IGNORE);
        if (is("between_groups") && rank == 1) MPI_Recv(&got, 1, MPI_INT, 0, 5, between, MPI_STATUS_IGNORE);
        if (is("large") && rank == 1) MPI_Recv(&got, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (is("irecv")) MPI_Send(&value, 1, MPI_INT, there, 6, copy);
        if (is("freed_send") && rank == 1) MPI_Recv(&got, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (is("matched") && rank == 1) MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        if (is("put")) MPI_Win_fence(0, win);
        if (is("lock") && rank == 0) MPI_Win_unlock(1, win);
        if (is("start")) {
            MPI_Win_complete(win);
            MPI_Win_wait(win);
        }
        if (is("write_begin")) MPI_File_write_at_all_end(file, &value, MPI_STATUS_IGNORE);
        if (is("complete_lock_all")) MPI_Win_unlock_all(win);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (later != MPI_COMM_NULL)
            MPI_Comm_free(&later);
        sum += got;
#pragma cppc checkpoint
        printf("%d %s %d\n", rank, kind, sum);
        for (k = 0; k < 2; k++)
            if (requests[k] != MPI_REQUEST_NULL)
                MPI_Request_free(&requests[k]);
    }
    MPI_Buffer_detach(&detached, &k);
    MPI_Group_free(&all);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Comm_free(&split);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&between);
#pragma cppc shutdown
    MPI_Finalize();
    return 0;
}
