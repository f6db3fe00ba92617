/* A small BSPlib over MPI. A superstep collects its operations; `bsp_sync` carries them out with collective
 * operations, so no message of MPI is in transit between two supersteps. */
#include "bsp.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REGISTERS = 64, READ, WRITE, MESSAGE };

/* What precedes the bytes of an operation. */
typedef struct {
    int kind, slot, offset, nbytes;
} Head;

typedef struct {
    char *bytes;
    int used, size;
} Buffer;

static int pid, nprocs;
static Buffer *requests, *out; /* for each process: what it is asked for, and what it is given */
static Buffer wanted;          /* the destinations of the values that were asked for */
static Buffer queue;           /* the messages of the last superstep */
static int first, count, bytes_left;

static struct {
    const void *ident;
} slots[MOST_REGISTERS];
static int slot_count;
static struct {
    const void *ident;
    int is_push;
} changes[MOST_REGISTERS];
static int change_count;
static int tag_size, next_tag_size;

static void append(Buffer *buffer, const void *bytes, int nbytes)
{
    if (buffer->used + nbytes > buffer->size) {
        buffer->size = 2 * (buffer->used + nbytes);
        buffer->bytes = realloc(buffer->bytes, (size_t)buffer->size);
        if (!buffer->bytes)
            abort();
    }
    if (nbytes)
        memcpy(buffer->bytes + buffer->used, bytes, (size_t)nbytes);
    buffer->used += nbytes;
}

static int slot_of(const void *ident)
{
    int slot = slot_count - 1;
    while (slot >= 0 && slots[slot].ident != ident)
        slot--;
    if (slot < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return slot;
}

void bsp_begin(int maxprocs)
{
    (void)maxprocs;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &pid);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    requests = calloc((size_t)nprocs, sizeof *requests);
    out = calloc((size_t)nprocs, sizeof *out);
}

void bsp_end(void)
{
    MPI_Finalize();
}

int bsp_nprocs(void)
{
    return nprocs;
}

int bsp_pid(void)
{
    return pid;
}

void bsp_push_reg(const void *ident, int size)
{
    (void)size;
    changes[change_count].ident = ident;
    changes[change_count++].is_push = 1;
}

void bsp_pop_reg(const void *ident)
{
    changes[change_count].ident = ident;
    changes[change_count++].is_push = 0;
}

void bsp_set_tagsize(int *tag_nbytes)
{
    int old = tag_size;
    next_tag_size = *tag_nbytes;
    *tag_nbytes = old;
}

void bsp_put(int to, const void *src, void *dst, int offset, int nbytes)
{
    Head head = {WRITE, slot_of(dst), offset, nbytes};
    append(&out[to], &head, sizeof head);
    append(&out[to], src, nbytes);
}

void bsp_get(int from, const void *src, int offset, void *dst, int nbytes)
{
    Head head = {READ, slot_of(src), offset, nbytes};
    struct {
        void *dst;
        int from, nbytes;
    } want = {dst, from, nbytes};
    append(&requests[from], &head, sizeof head);
    append(&wanted, &want, sizeof want);
}

void bsp_send(int to, const void *tag, const void *payload, int nbytes)
{
    Head head = {MESSAGE, 0, 0, nbytes};
    append(&out[to], &head, sizeof head);
    append(&out[to], tag, tag_size);
    append(&out[to], payload, nbytes);
}

/* Gives each process its buffer, and returns what the others have given, one after the other. `starts` has room for
 * one element more than there are processes. */
static char *exchange(Buffer *buffers, int *starts)
{
    int *sizes = malloc((size_t)nprocs * sizeof *sizes), *from = malloc((size_t)nprocs * sizeof *from);
    int *at = calloc((size_t)nprocs + 1, sizeof *at), to;
    for (to = 0; to < nprocs; to++)
        sizes[to] = buffers[to].used;
    MPI_Alltoall(sizes, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
    for (to = 0, starts[0] = 0; to < nprocs; to++) {
        at[to + 1] = at[to] + sizes[to];
        starts[to + 1] = starts[to] + from[to];
    }
    char *all = malloc((size_t)at[nprocs] + 1), *received = malloc((size_t)starts[nprocs] + 1);
    for (to = 0; to < nprocs; to++) {
        if (sizes[to])
            memcpy(all + at[to], buffers[to].bytes, (size_t)sizes[to]);
        buffers[to].used = 0;
    }
    MPI_Alltoallv(all, sizes, at, MPI_BYTE, received, from, starts, MPI_BYTE, MPI_COMM_WORLD);
    free(all);
    free(sizes);
    free(from);
    free(at);
    return received;
}

static void serve_gets(void)
{
    int *starts = malloc(((size_t)nprocs + 1) * sizeof *starts), from, at, k;
    Buffer *answers = calloc((size_t)nprocs, sizeof *answers);
    char *asked = exchange(requests, starts), *values;
    for (from = 0; from < nprocs; from++)
        for (at = starts[from]; at < starts[from + 1]; at += (int)sizeof(Head)) {
            Head head;
            memcpy(&head, asked + at, sizeof head);
            append(&answers[from], (const char *)slots[head.slot].ident + head.offset, head.nbytes);
        }
    values = exchange(answers, starts);
    for (k = 0; k < wanted.used;) {
        struct {
            void *dst;
            int from, nbytes;
        } want;
        memcpy(&want, wanted.bytes + k, sizeof want);
        memcpy(want.dst, values + starts[want.from], (size_t)want.nbytes);
        starts[want.from] += want.nbytes;
        k += (int)sizeof want;
    }
    wanted.used = 0;
    for (from = 0; from < nprocs; from++)
        free(answers[from].bytes);
    free(answers);
    free(asked);
    free(values);
    free(starts);
}

static void deliver(void)
{
    int *starts = malloc(((size_t)nprocs + 1) * sizeof *starts), at;
    char *given = exchange(out, starts);
    queue.used = first = count = bytes_left = 0;
    for (at = 0; at < starts[nprocs];) {
        Head head;
        memcpy(&head, given + at, sizeof head);
        at += (int)sizeof head;
        if (head.kind == WRITE) {
            memcpy((char *)slots[head.slot].ident + head.offset, given + at, (size_t)head.nbytes);
            at += head.nbytes;
        } else {
            append(&queue, &head, sizeof head);
            append(&queue, given + at, tag_size + head.nbytes);
            at += tag_size + head.nbytes;
            bytes_left += head.nbytes;
            count++;
        }
    }
    free(given);
    free(starts);
}

static void change_registers(void)
{
    int k, slot;
    for (k = 0; k < change_count; k++) {
        if (changes[k].is_push) {
            slots[slot_count++].ident = changes[k].ident;
            continue;
        }
        for (slot = slot_of(changes[k].ident); slot + 1 < slot_count; slot++)
            slots[slot] = slots[slot + 1];
        slot_count--;
    }
    change_count = 0;
    tag_size = next_tag_size;
}

void bsp_sync(void)
{
    serve_gets();
    deliver();
    change_registers();
}

void bsp_qsize(int *nmessages, int *accum_nbytes)
{
    *nmessages = count;
    *accum_nbytes = bytes_left;
}

void bsp_get_tag(int *status, void *tag)
{
    Head head;
    *status = -1;
    if (!count)
        return;
    memcpy(&head, queue.bytes + first, sizeof head);
    *status = head.nbytes;
    memcpy(tag, queue.bytes + first + sizeof head, (size_t)tag_size);
}

void bsp_move(void *payload, int reception_nbytes)
{
    Head head;
    memcpy(&head, queue.bytes + first, sizeof head);
    memcpy(payload, queue.bytes + first + sizeof head + tag_size,
           (size_t)(head.nbytes < reception_nbytes ? head.nbytes : reception_nbytes));
    first += (int)sizeof head + tag_size + head.nbytes;
    bytes_left -= head.nbytes;
    count--;
}
