/*
 * The layer between a program and MPI that counts messages.
 *
 * Input: the calls of MPI that the program makes, in C and in Fortran.
 * Output: the same calls, made by MPI; and, at a checkpoint, what a restart would not restore.
 * Postcondition: results, statuses and errors of the program's calls are those of MPI.
 *
 * The wrappers in `wrappers.c` are generated from the installed `mpi.h` when CPPC is installed.
 */
#ifndef CPPC_LAYER_H
#define CPPC_LAYER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define SHOWN __attribute__((visibility("default")))

/* The procedure of MPI below this layer. Both names of a procedure lead to this layer, because the Fortran libraries
 * of some MPIs call the C procedures under their second name. */
#define REAL(name)                                                                                                     \
    static __typeof__(name) *real;                                                                                     \
    if (!__atomic_load_n(&real, __ATOMIC_ACQUIRE))                                                                     \
        __atomic_store_n(&real, (__typeof__(name) *)layer_find("P" #name), __ATOMIC_RELEASE)

#define PLACE place_outside_mpi(__builtin_return_address(0))

/* What a call is: its name, and where the program made it. */
struct call {
    const char *name;
    void *place;
};

HIDDEN void *layer_find(const char *name);

/* Whether this call of the program is to be counted. If so, `layer_leave` follows. Calls that MPI itself makes are not. */
HIDDEN int layer_enter(void);
HIDDEN void layer_leave(void);
/* The tables are used only between these calls. No procedure of MPI that may wait is called there. */
HIDDEN void layer_lock(void);
HIDDEN void layer_unlock(void);
/* Whether a call with this result has received a message. */
HIDDEN int layer_has_received(int result);

/* maps.c: tables from a number to a pointer. */
struct map {
    uint64_t *keys;
    void **values;
    size_t used, capacity;
};
HIDDEN void *map_find(const struct map *map, uint64_t key);
HIDDEN void map_set(struct map *map, uint64_t key, void *value);
HIDDEN void *map_take(struct map *map, uint64_t key);
HIDDEN void map_clear(struct map *map, void (*free_value)(void *));
HIDDEN uint64_t mixed(uint64_t a, uint64_t b);

/* A handle of MPI as a number: an integer or an address, depending on the MPI. */
#define KEY(handle) ((uint64_t)(uintptr_t)(handle))

/* communicators.c: the same number for a communicator on all its processes. */
struct communicator {
    uint64_t id;
    int size;   /* of the group to which messages are sent */
    int *world; /* the ranks of this group in MPI_COMM_WORLD */
    int is_own; /* of the runtime */
    int references;
    char name[64];
};
struct reserved {
    uint64_t group, number;
};
HIDDEN struct communicator *communicator_of(MPI_Comm handle);
HIDDEN void communicator_release(struct communicator *communicator);
HIDDEN int communicator_is_own(MPI_Comm handle);
HIDDEN void communicator_created(MPI_Comm handle);
HIDDEN struct reserved communicator_reserve(MPI_Comm parent);
HIDDEN void communicator_created_as(MPI_Comm handle, struct reserved reserved);
HIDDEN void communicator_freed(MPI_Comm handle);
HIDDEN int world_rank(void);
HIDDEN int world_size(void);

/* channels.c: the messages between two processes with the same communicator and tag. */
#define RING 8
struct channel {
    uint64_t communicator;
    int peer, tags;
    uint64_t generation;
    int64_t count;
    int64_t received; /* only while a report is made */
    struct sent {
        struct call call;
        int tag;
    } last[RING];
    char name[64];
};
HIDDEN void message_sent(struct call call, MPI_Comm comm, int peer, int tag);
HIDDEN void message_sent_on(struct call call, struct communicator *communicator, int peer, int tag, int count);
HIDDEN void message_received(struct communicator *communicator, int peer, int tag);
HIDDEN void message_received_from(MPI_Comm comm, int source, const MPI_Status *status);
HIDDEN uint64_t channels_difference(void);
HIDDEN void channels_reset(uint64_t compared);
HIDDEN void channels_report(MPI_Comm comm);
HIDDEN void channels_warn(void);

/* requests.c: operations that the program has begun. */
enum { SENDS = 1, RECEIVES = 2, PERSISTENT = 4, GENERALIZED = 8, DUPLICATES = 16, COLLECTIVE = 32 };
struct request {
    struct request *next;
    int kind, is_active;
    int peer, tag;              /* of the message that it sends */
    int source, received_tag; /* of the message that it receives, or negative for any */
    struct call call;
    struct communicator *communicator;
    MPI_Comm *duplicate;
    struct reserved reserved;
};
HIDDEN struct request *request_opened(struct call call, MPI_Request handle, int kind);
HIDDEN void request_of_messages(struct call call, MPI_Request handle, int kind, MPI_Comm comm, int dest, int tag, int source,
                                int received_tag);
HIDDEN void request_to_duplicate(struct call call, MPI_Request handle, MPI_Comm *copy, struct reserved reserved);
HIDDEN void message_matched(struct call call, MPI_Message handle, MPI_Comm comm, const MPI_Status *status);
HIDDEN void message_taken(MPI_Message handle);
HIDDEN void requests_progress(void);
HIDDEN void requests_free(void);
HIDDEN uint64_t requests_open(void);
HIDDEN void requests_report(void);

/* windows.c: one-sided communication, and operations on files that have a second half. */
HIDDEN void one_sided(struct call call, MPI_Win win, int rank);
HIDDEN void file_begun(struct call call, MPI_File file);
HIDDEN void file_ended(MPI_File file);
HIDDEN void file_opened(struct call call, MPI_File file, const char *name);
HIDDEN void file_closed(MPI_File file);
HIDDEN void files_warn(void);
HIDDEN uint64_t windows_open(void);
HIDDEN void windows_report(void);

/* check.c */
HIDDEN void report(const char *format, ...) __attribute__((format(printf, 1, 2)));
HIDDEN void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* places.c */
HIDDEN void *place_outside_mpi(void *address);
HIDDEN const char *place_text(void *address, char *text, size_t size);

#endif
