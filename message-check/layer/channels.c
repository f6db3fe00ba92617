/*
 * Counts of messages.
 *
 * Both sides of a channel count its messages. The sum over all processes of `difference` is zero if each message that
 * was sent has been received, and only with a probability of 2^-64 otherwise. So usually a checkpoint compares one number.
 */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

/* Tags are counted modulo this number, so that a program with many tags needs little memory. */
#define TAGS 1024
/* A larger table is made anew when no message is in transit. */
#define MOST_CHANNELS 4096

static struct map outgoing, incoming;
static uint64_t difference, generation = 1;
static struct call outside;

static uint64_t key(uint64_t communicator, int sender, int receiver, int tags)
{
    return mixed(mixed(communicator, ((uint64_t)sender << 32) | (uint32_t)receiver), (uint64_t)tags);
}

static struct channel *channel(struct map *map, uint64_t key, uint64_t communicator, int peer, int tags)
{
    struct channel *found = map_find(map, key);
    if (!found) {
        found = calloc(1, sizeof *found);
        if (!found)
            abort();
        found->communicator = communicator;
        found->peer = peer;
        found->tags = tags;
        map_set(map, key, found);
    }
    if (found->generation != generation) {
        found->generation = generation;
        found->count = 0;
    }
    return found;
}

static int peer_in_world(struct call call, const struct communicator *communicator, int peer)
{
    if (communicator->is_own || peer < 0 || peer >= communicator->size)
        return -1;
    if (communicator->world[peer] < 0)
        outside = call;
    return communicator->world[peer];
}

void message_sent_on(struct call call, struct communicator *communicator, int peer, int tag, int count)
{
    int receiver = peer_in_world(call, communicator, peer), tags = tag % TAGS;
    if (receiver < 0)
        return;
    uint64_t name = key(communicator->id, world_rank(), receiver, tags);
    struct channel *used = channel(&outgoing, name, communicator->id, receiver, tags);
    if (count > 0) {
        used->last[used->count % RING] = (struct sent){call, tag};
        memcpy(used->name, communicator->name, sizeof used->name);
    }
    used->count += count;
    difference += (uint64_t)(int64_t)count * name;
}

void message_sent(struct call call, MPI_Comm comm, int peer, int tag)
{
    if (peer != MPI_PROC_NULL)
        message_sent_on(call, communicator_of(comm), peer, tag, 1);
}

void message_received(struct communicator *communicator, int peer, int tag)
{
    struct call call = {"a receive", NULL};
    int sender = peer_in_world(call, communicator, peer), tags = tag % TAGS;
    if (sender < 0)
        return;
    uint64_t name = key(communicator->id, sender, world_rank(), tags);
    channel(&incoming, name, communicator->id, sender, tags)->count++;
    difference -= name;
}

void message_received_from(MPI_Comm comm, int source, const MPI_Status *status)
{
    if (source != MPI_PROC_NULL && status->MPI_SOURCE != MPI_PROC_NULL)
        message_received(communicator_of(comm), status->MPI_SOURCE, status->MPI_TAG);
}

uint64_t channels_difference(void)
{
    return difference;
}

/* Begins to count anew, because every message that was compared has been received. Other threads may have sent or
 * received since then. */
void channels_reset(uint64_t compared)
{
    difference -= compared;
    if (difference)
        return;
    generation++;
    if (outgoing.used > MOST_CHANNELS)
        map_clear(&outgoing, free);
    if (incoming.used > MOST_CHANNELS)
        map_clear(&incoming, free);
}

void channels_warn(void)
{
    static int is_reported;
    char text[512];
    if (outside.name && !is_reported) {
        is_reported = 1;
        note("messages to or from processes outside of `MPI_COMM_WORLD` are not checked; the last was %s%s%s", outside.name,
             outside.place ? " at " : "", outside.place ? place_text(outside.place, text, sizeof text) : "");
    }
}

static void report_channel(const struct channel *used, int64_t in_transit)
{
    int64_t known = in_transit < RING ? in_transit : RING;
    char text[512];
    /* Messages with one tag do not overtake each other, so the last ones are those in transit. */
    for (int64_t back = 0; back < known;) {
        const struct sent *sent = &used->last[(used->count - 1 - back) % RING];
        int64_t same = 1;
        while (back + same < known) {
            const struct sent *other = &used->last[(used->count - 1 - back - same) % RING];
            if (other->call.place != sent->call.place || other->tag != sent->tag)
                break;
            same++;
        }
        if (same == known && in_transit > known)
            same = in_transit;
        if (same == 1)
            report("a message to process %d with tag %d on %s has not been received: sent by `%s` at %s", used->peer,
                   sent->tag, used->name, sent->call.name, place_text(sent->call.place, text, sizeof text));
        else
            report("%lld messages to process %d with tag %d on %s have not been received: sent by `%s` at %s",
                   (long long)same, used->peer, sent->tag, used->name, sent->call.name,
                   place_text(sent->call.place, text, sizeof text));
        back += same;
    }
}

static void *array(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* Each process sends its counts of received messages to the senders, which report the others. Collective. */
void channels_report(MPI_Comm comm)
{
    enum { COMMUNICATOR, TAG, COUNT, WORDS };
    int size = world_size();
    int *to = array((size_t)size, sizeof *to), *from = array((size_t)size, sizeof *from);
    int *at = array((size_t)size, sizeof *at), *into = array((size_t)size, sizeof *into);
    for (size_t index = 0; index < incoming.capacity; index++) {
        struct channel *used = incoming.values[index];
        if (used && used->generation == generation)
            to[used->peer] += WORDS;
    }
    PMPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, comm);
    for (int rank = 0; rank < size; rank++) {
        at[rank + 1] = at[rank] + to[rank];
        into[rank + 1] = into[rank] + from[rank];
    }
    uint64_t *sent = array((size_t)at[size], sizeof *sent);
    uint64_t *received = array((size_t)into[size], sizeof *received);
    int *next = array((size_t)size, sizeof *next);
    memcpy(next, at, (size_t)size * sizeof *next);
    for (size_t index = 0; index < incoming.capacity; index++) {
        struct channel *used = incoming.values[index];
        if (!used || used->generation != generation)
            continue;
        uint64_t *row = &sent[next[used->peer]];
        row[COMMUNICATOR] = used->communicator;
        row[TAG] = (uint64_t)used->tags;
        row[COUNT] = (uint64_t)used->count;
        next[used->peer] += WORDS;
    }
    PMPI_Alltoallv(sent, to, at, MPI_UINT64_T, received, from, into, MPI_UINT64_T, comm);
    for (int rank = 0; rank < size; rank++)
        for (int row = into[rank]; row < into[rank] + from[rank]; row += WORDS) {
            int tags = (int)received[row + TAG];
            uint64_t name = key(received[row + COMMUNICATOR], world_rank(), rank, tags);
            struct channel *used = channel(&outgoing, name, received[row + COMMUNICATOR], rank, tags);
            used->received = (int64_t)received[row + COUNT];
        }
    for (size_t index = 0; index < outgoing.capacity; index++) {
        struct channel *used = outgoing.values[index];
        if (!used || used->generation != generation)
            continue;
        int64_t in_transit = used->count - used->received;
        used->received = 0;
        if (in_transit > 0)
            report_channel(used, in_transit);
        else if (in_transit < 0)
            report("process %d has received more messages than were counted when they were sent: "
                   "was a procedure of MPI called without this check?", used->peer);
    }
    free(to), free(from), free(at), free(into), free(next), free(sent), free(received);
}
