/*
 * Requests, and messages that were matched by `MPI_Mprobe` but not received.
 *
 * Some MPIs return the same handle for several operations that were complete at once. So a handle has a list of
 * requests. They need no further count, so any of them may be taken.
 */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

static struct map requests, matched;
/* Requests that the program has freed while they were active. They are kept, to find out when they are complete. */
static struct freed {
    MPI_Request handle;
    struct request *request;
} *freed;
static size_t freed_count, active;

static struct request *open_request(struct map *map, uint64_t key, struct call call, int kind)
{
    struct request *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    made->kind = kind;
    made->call = call;
    made->is_active = !(kind & PERSISTENT);
    made->peer = made->tag = made->source = made->received_tag = -1;
    made->next = map_find(map, key);
    map_set(map, key, made);
    active += (size_t)made->is_active;
    return made;
}

static void insert(MPI_Request handle, struct request *request)
{
    request->next = map_find(&requests, KEY(handle));
    map_set(&requests, KEY(handle), request);
}

static struct request *take(struct map *map, uint64_t key)
{
    struct request *taken = map_take(map, key);
    if (taken && taken->next)
        map_set(map, key, taken->next);
    if (taken)
        taken->next = NULL;
    return taken;
}

static void forget(struct request *request)
{
    active -= (size_t)request->is_active;
    communicator_release(request->communicator);
    free(request);
}

struct request *request_opened(struct call call, MPI_Request handle, int kind)
{
    if (handle == MPI_REQUEST_NULL)
        return NULL;
    return open_request(&requests, KEY(handle), call, kind);
}

void request_of_messages(struct call call, MPI_Request handle, int kind, MPI_Comm comm, int dest, int tag, int source,
                         int received_tag)
{
    /* Not every MPI has a status for such a receive. */
    if (source == MPI_PROC_NULL)
        kind &= ~RECEIVES;
    struct request *made = request_opened(call, handle, kind);
    if (made) {
        made->communicator = communicator_of(comm);
        made->communicator->references++;
        made->peer = dest;
        made->tag = tag;
        made->source = source;
        made->received_tag = received_tag;
        if (made->communicator->is_own) {
            active -= (size_t)made->is_active;
            made->is_active = 0;
        }
    }
    if (!(kind & PERSISTENT) && (kind & SENDS))
        message_sent(call, comm, dest, tag);
}

void request_to_duplicate(struct call call, MPI_Request handle, MPI_Comm *copy, struct reserved reserved)
{
    struct request *made = request_opened(call, handle, DUPLICATES);
    if (made) {
        made->duplicate = copy;
        made->reserved = reserved;
    }
}

static void complete(struct request *request, MPI_Status *status)
{
    int was_cancelled = 0;
    if (request->kind & (SENDS | RECEIVES) && request->communicator && request->is_active) {
        PMPI_Test_cancelled(status, &was_cancelled);
        if (request->kind & SENDS && was_cancelled && request->peer >= 0)
            message_sent_on(request->call, request->communicator, request->peer, request->tag, -1);
        if (request->kind & RECEIVES && !was_cancelled)
            message_received(request->communicator, request->source >= 0 ? request->source : status->MPI_SOURCE,
                             request->received_tag >= 0 ? request->received_tag : status->MPI_TAG);
    }
    if (request->kind & DUPLICATES)
        communicator_created_as(*request->duplicate, request->reserved);
}

/* A request that was taken from the table is complete: it is forgotten, or inactive again. */
static void completed(struct request *request, MPI_Request handle, MPI_Status *status)
{
    complete(request, status);
    if (request->kind & PERSISTENT) {
        active -= (size_t)request->is_active;
        request->is_active = 0;
        insert(handle, request);
    } else {
        forget(request);
    }
}

static void start(struct call call, MPI_Request handle)
{
    if (handle == MPI_REQUEST_NULL)
        return;
    struct request *started = map_find(&requests, KEY(handle));
    if (!started)
        started = open_request(&requests, KEY(handle), call, PERSISTENT);
    if (started->communicator && started->communicator->is_own)
        return;
    active += (size_t)!started->is_active;
    started->is_active = 1;
    started->call = call;
    if (started->kind & SENDS && started->communicator && started->peer >= 0)
        message_sent_on(call, started->communicator, started->peer, started->tag, 1);
}

void message_matched(struct call call, MPI_Message handle, MPI_Comm comm, const MPI_Status *status)
{
    if (handle == MPI_MESSAGE_NULL || handle == MPI_MESSAGE_NO_PROC)
        return;
    message_received_from(comm, MPI_ANY_SOURCE, status);
    struct request *made = open_request(&matched, KEY(handle), call, 0);
    made->peer = status->MPI_SOURCE;
    made->tag = status->MPI_TAG;
}

void message_taken(MPI_Message handle)
{
    struct request *taken = take(&matched, KEY(handle));
    if (taken)
        forget(taken);
}

/* Completes what it can of the requests that the program has freed. */
void requests_progress(void)
{
    for (size_t index = 0; index < freed_count;) {
        MPI_Status status;
        int is_complete = 0, was_persistent = freed[index].request->kind & PERSISTENT;
        PMPI_Test(&freed[index].handle, &is_complete, &status);
        if (!is_complete) {
            index++;
            continue;
        }
        complete(freed[index].request, &status);
        forget(freed[index].request);
        if (was_persistent)
            PMPI_Request_free(&freed[index].handle);
        freed[index] = freed[--freed_count];
    }
}

/* Frees what is left of these requests before the end of MPI. */
void requests_free(void)
{
    requests_progress();
    while (freed_count)
        PMPI_Request_free(&freed[--freed_count].handle);
}

uint64_t requests_open(void)
{
    return active;
}

static void report_list(const struct request *request, const char *what)
{
    char text[512];
    for (; request; request = request->next) {
        if (!request->is_active)
            continue;
        place_text(request->call.place, text, sizeof text);
        report("%s: `%s` at %s", what, request->call.name, text);
    }
}

void requests_report(void)
{
    for (size_t index = 0; index < requests.capacity; index++)
        report_list(requests.values[index], "an operation is not complete");
    for (size_t index = 0; index < freed_count; index++)
        report_list(freed[index].request, "an operation whose request was freed is not complete");
    for (size_t index = 0; index < matched.capacity; index++)
        report_list(matched.values[index], "a message was matched but not received");
}

/* The procedures that complete requests. */

/* The requests of one call, taken from the table, and a status for each. */
struct batch {
    int count;
    MPI_Request *handles;
    MPI_Request *before;
    struct request **requests;
    MPI_Status *statuses;
    MPI_Request few_before[16];
    struct request *few_requests[16];
    MPI_Status few_statuses[16];
};

static void *room(int count, void *few, size_t size)
{
    if (count <= 16)
        return few;
    void *memory = malloc((size_t)count * size);
    if (!memory)
        abort();
    return memory;
}

static void take_batch(struct batch *batch, int count, MPI_Request *handles)
{
    batch->count = count > 0 ? count : 0;
    batch->handles = handles;
    batch->before = room(count, batch->few_before, sizeof *batch->before);
    batch->requests = room(count, batch->few_requests, sizeof *batch->requests);
    batch->statuses = room(count, batch->few_statuses, sizeof *batch->statuses);
    for (int index = 0; index < batch->count; index++) {
        batch->before[index] = handles[index];
        batch->requests[index] =
            handles[index] == MPI_REQUEST_NULL ? NULL : take(&requests, KEY(handles[index]));
    }
}

static void complete_of_batch(struct batch *batch, int index, MPI_Status *status)
{
    if (index >= 0 && index < batch->count && batch->requests[index]) {
        completed(batch->requests[index], batch->before[index], status);
        batch->requests[index] = NULL;
    }
}

/* Puts back what is not complete. */
static void end_batch(struct batch *batch)
{
    for (int index = 0; index < batch->count; index++)
        if (batch->requests[index])
            insert(batch->before[index], batch->requests[index]);
    if (batch->before != batch->few_before)
        free(batch->before), free(batch->requests), free(batch->statuses);
}

/* Whether an operation of a call that reported an error is complete. */
static int is_over(const struct batch *batch, int index, int error)
{
    return error != MPI_ERR_PENDING && (batch->handles[index] != batch->before[index] || layer_has_received(error));
}

static void complete_all(struct batch *batch, MPI_Status *statuses, int result)
{
    for (int index = 0; index < batch->count; index++) {
        int is_good = result == MPI_SUCCESS;
        if (is_good || is_over(batch, index, result == MPI_ERR_IN_STATUS ? statuses[index].MPI_ERROR : result))
            complete_of_batch(batch, index, &statuses[index]);
    }
}

/* Begins a call that completes requests. Returns false if it is not to be counted. */
static int begin(struct batch *batch, int count, MPI_Request *handles)
{
    if (!layer_enter())
        return 0;
    layer_lock();
    take_batch(batch, count, handles);
    layer_unlock();
    return 1;
}

static void end(struct batch *batch)
{
    end_batch(batch);
    layer_unlock();
    layer_leave();
}

SHOWN int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    REAL(MPI_Wait);
    struct batch batch;
    if (!begin(&batch, 1, request))
        return real(request, status);
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? batch.statuses : status;
    int result = real(request, seen);
    layer_lock();
    complete_all(&batch, seen, result);
    end(&batch);
    return result;
}

SHOWN int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    REAL(MPI_Test);
    struct batch batch;
    if (!begin(&batch, 1, request))
        return real(request, flag, status);
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? batch.statuses : status;
    int result = real(request, flag, seen);
    layer_lock();
    if (result != MPI_SUCCESS || *flag)
        complete_all(&batch, seen, result);
    end(&batch);
    return result;
}

SHOWN int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    REAL(MPI_Waitall);
    struct batch batch;
    if (!begin(&batch, count, requests))
        return real(count, requests, statuses);
    MPI_Status *seen = statuses == MPI_STATUSES_IGNORE ? batch.statuses : statuses;
    int result = real(count, requests, seen);
    layer_lock();
    complete_all(&batch, seen, result);
    end(&batch);
    return result;
}

SHOWN int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    REAL(MPI_Testall);
    struct batch batch;
    if (!begin(&batch, count, requests))
        return real(count, requests, flag, statuses);
    MPI_Status *seen = statuses == MPI_STATUSES_IGNORE ? batch.statuses : statuses;
    int result = real(count, requests, flag, seen);
    layer_lock();
    if (result != MPI_SUCCESS || *flag)
        complete_all(&batch, seen, result);
    end(&batch);
    return result;
}

/* One of several requests is complete, or none. */
static void complete_one(struct batch *batch, int index, MPI_Status *status, int result)
{
    if (index < 0 || index >= batch->count)
        return;
    if (result == MPI_SUCCESS || is_over(batch, index, result))
        complete_of_batch(batch, index, status);
}

SHOWN int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    REAL(MPI_Waitany);
    struct batch batch;
    MPI_Status own;
    if (!begin(&batch, count, requests))
        return real(count, requests, index, status);
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    *index = MPI_UNDEFINED;
    int result = real(count, requests, index, seen);
    layer_lock();
    complete_one(&batch, *index, seen, result);
    end(&batch);
    return result;
}

SHOWN int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    REAL(MPI_Testany);
    struct batch batch;
    MPI_Status own;
    if (!begin(&batch, count, requests))
        return real(count, requests, index, flag, status);
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    *index = MPI_UNDEFINED;
    int result = real(count, requests, index, flag, seen);
    layer_lock();
    if (result != MPI_SUCCESS || *flag)
        complete_one(&batch, *index, seen, result);
    end(&batch);
    return result;
}

static void complete_some(struct batch *batch, int count, const int *indices, MPI_Status *statuses, int result)
{
    for (int done = 0; count != MPI_UNDEFINED && done < count; done++) {
        int index = indices[done];
        if (result == MPI_SUCCESS || is_over(batch, index, result == MPI_ERR_IN_STATUS ? statuses[done].MPI_ERROR : result))
            complete_of_batch(batch, index, &statuses[done]);
    }
}

typedef int some_procedure(int, MPI_Request[], int *, int[], MPI_Status[]);

static int some(some_procedure *real, int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct batch batch;
    if (!begin(&batch, count, requests))
        return real(count, requests, done, indices, statuses);
    MPI_Status *seen = statuses == MPI_STATUSES_IGNORE ? batch.statuses : statuses;
    *done = MPI_UNDEFINED;
    int result = real(count, requests, done, indices, seen);
    layer_lock();
    complete_some(&batch, *done, indices, seen, result);
    end(&batch);
    return result;
}

SHOWN int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    REAL(MPI_Waitsome);
    return some(real, count, requests, done, indices, statuses);
}

SHOWN int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    REAL(MPI_Testsome);
    return some(real, count, requests, done, indices, statuses);
}

SHOWN int MPI_Request_free(MPI_Request *handle)
{
    REAL(MPI_Request_free);
    int result = MPI_SUCCESS;
    if (!layer_enter())
        return real(handle);
    layer_lock();
    struct request *found = *handle == MPI_REQUEST_NULL ? NULL : take(&requests, KEY(*handle));
    if (found && found->is_active && !(found->kind & GENERALIZED)) {
        struct freed *more = realloc(freed, (freed_count + 1) * sizeof *freed);
        if (!more)
            abort();
        freed = more;
        freed[freed_count++] = (struct freed){*handle, found};
        *handle = MPI_REQUEST_NULL;
        layer_unlock();
    } else {
        if (found)
            forget(found);
        layer_unlock();
        result = real(handle);
    }
    layer_leave();
    return result;
}

SHOWN int MPI_Start(MPI_Request *handle)
{
    REAL(MPI_Start);
    if (!layer_enter())
        return real(handle);
    struct call call = {"MPI_Start", PLACE};
    int result = real(handle);
    layer_lock();
    if (result == MPI_SUCCESS)
        start(call, *handle);
    layer_unlock();
    layer_leave();
    return result;
}

SHOWN int MPI_Startall(int count, MPI_Request handles[])
{
    REAL(MPI_Startall);
    if (!layer_enter())
        return real(count, handles);
    struct call call = {"MPI_Startall", PLACE};
    int result = real(count, handles);
    layer_lock();
    for (int index = 0; result == MPI_SUCCESS && index < count; index++)
        start(call, handles[index]);
    layer_unlock();
    layer_leave();
    return result;
}

#define ALSO_AS_PMPI(name) SHOWN __typeof__(name) P##name __attribute__((alias(#name)))
ALSO_AS_PMPI(MPI_Wait);
ALSO_AS_PMPI(MPI_Test);
ALSO_AS_PMPI(MPI_Waitall);
ALSO_AS_PMPI(MPI_Testall);
ALSO_AS_PMPI(MPI_Waitany);
ALSO_AS_PMPI(MPI_Testany);
ALSO_AS_PMPI(MPI_Waitsome);
ALSO_AS_PMPI(MPI_Testsome);
ALSO_AS_PMPI(MPI_Request_free);
ALSO_AS_PMPI(MPI_Start);
ALSO_AS_PMPI(MPI_Startall);
