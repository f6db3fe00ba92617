/*
 * One-sided communication, and operations on files that have a second half.
 *
 * An operation on a window is complete at the target after the call that ends its epoch, or after a flush. A lock of a
 * single process, and an epoch between `MPI_Win_start` and `MPI_Win_wait`, must not be open at a checkpoint either.
 * `MPI_Win_lock_all` alone is no reason: programs call it once, and repeat it in a restart.
 */
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>

static struct map windows, files, open_files;
static uint64_t open_count;

struct window {
    struct operation {
        struct operation *next;
        struct call call;
        int rank;
        /* An operation, a lock of this rank, an access epoch or an exposure epoch. */
        enum { OPERATION, LOCK, ACCESS, EXPOSURE } kind;
    } *first;
};

static struct window *window(MPI_Win handle)
{
    struct window *found = map_find(&windows, KEY(handle));
    if (!found) {
        found = calloc(1, sizeof *found);
        if (!found)
            abort();
        map_set(&windows, KEY(handle), found);
    }
    return found;
}

static void add(MPI_Win handle, struct call call, int rank, int kind)
{
    struct window *used = window(handle);
    /* Many operations of one call are one entry. */
    for (struct operation *other = used->first; other; other = other->next)
        if (other->rank == rank && (int)other->kind == kind && other->call.place == call.place)
            return;
    struct operation *made = malloc(sizeof *made);
    if (!made)
        abort();
    made->next = used->first;
    made->call = call;
    made->rank = rank;
    made->kind = kind;
    used->first = made;
    open_count++;
}

enum { ALL = -1 };

static void end(MPI_Win handle, int rank, int kind)
{
    for (struct operation **at = &window(handle)->first; *at;) {
        struct operation *ended = *at;
        if ((int)ended->kind != kind || (rank != ALL && ended->rank != rank)) {
            at = &ended->next;
            continue;
        }
        *at = ended->next;
        free(ended);
        open_count--;
    }
}

void one_sided(struct call call, MPI_Win win, int rank)
{
    if (rank != MPI_PROC_NULL)
        add(win, call, rank, OPERATION);
}

void file_begun(struct call call, MPI_File file)
{
    struct call *begun = map_find(&files, KEY(file));
    if (!begun) {
        begun = malloc(sizeof *begun);
        if (!begun)
            abort();
        map_set(&files, KEY(file), begun);
        open_count++;
    }
    *begun = call;
}

void file_ended(MPI_File file)
{
    void *begun = map_take(&files, KEY(file));
    open_count -= begun != NULL;
    free(begun);
}

struct open_file {
    struct call call;
    MPI_File handle;
    int is_reported;
    char name[256];
};

void file_opened(struct call call, MPI_File file, const char *name)
{
    struct open_file *opened = calloc(1, sizeof *opened);
    if (!opened)
        abort();
    opened->call = call;
    opened->handle = file;
    snprintf(opened->name, sizeof opened->name, "%s", name);
    free(map_take(&open_files, KEY(file)));
    map_set(&open_files, KEY(file), opened);
}

void file_closed(MPI_File file)
{
    free(map_take(&open_files, KEY(file)));
}

/* A restart opens the file again, and its pointer is at the beginning. Programs with explicit offsets need no more. */
void files_warn(void)
{
    char text[512];
    for (size_t index = 0; index < open_files.capacity; index++) {
        struct open_file *open = open_files.values[index];
        MPI_Offset at = 0;
        if (!open || open->is_reported || PMPI_File_get_position(open->handle, &at) != MPI_SUCCESS || !at)
            continue;
        open->is_reported = 1;
        note("a restart does not restore the file pointer of `%s`, opened by `%s` at %s: use `MPI_File_seek` or explicit offsets",
             open->name, open->call.name, place_text(open->call.place, text, sizeof text));
    }
}

uint64_t windows_open(void)
{
    return open_count;
}

void windows_report(void)
{
    static const char *const what[] = {
        "a one-sided operation may not be complete at its target",
        "a window is locked",
        "an access epoch is open",
        "an exposure epoch is open",
    };
    char text[512];
    for (size_t index = 0; index < windows.capacity; index++) {
        struct window *used = windows.values[index];
        for (struct operation *open = used ? used->first : NULL; open; open = open->next)
            report("%s: `%s` at %s", what[open->kind], open->call.name, place_text(open->call.place, text, sizeof text));
    }
    for (size_t index = 0; index < files.capacity; index++) {
        struct call *begun = files.values[index];
        if (begun)
            report("an operation on a file is not complete: `%s` at %s", begun->name,
                   place_text(begun->place, text, sizeof text));
    }
}

/* A wrapper whose effect follows a call without error. */
#define SYNCHRONISATION(name, parameters, arguments, effect)                                                           \
    SHOWN int name parameters                                                                                          \
    {                                                                                                                  \
        REAL(name);                                                                                                    \
        if (!layer_enter())                                                                                            \
            return real arguments;                                                                                     \
        struct call call = {#name, PLACE};                                                                             \
        (void)call;                                                                                                    \
        int result = real arguments;                                                                                   \
        layer_lock();                                                                                                  \
        if (result == MPI_SUCCESS) {                                                                                   \
            effect;                                                                                                    \
        }                                                                                                              \
        layer_unlock();                                                                                                \
        layer_leave();                                                                                                 \
        return result;                                                                                                 \
    }                                                                                                                  \
    SHOWN __typeof__(name) P##name __attribute__((alias(#name)))

SYNCHRONISATION(MPI_Win_fence, (int assert, MPI_Win win), (assert, win), end(win, ALL, OPERATION));
SYNCHRONISATION(MPI_Win_flush, (int rank, MPI_Win win), (rank, win), end(win, rank, OPERATION));
SYNCHRONISATION(MPI_Win_flush_all, (MPI_Win win), (win), end(win, ALL, OPERATION));
SYNCHRONISATION(MPI_Win_unlock_all, (MPI_Win win), (win), end(win, ALL, OPERATION));
SYNCHRONISATION(MPI_Win_lock, (int type, int rank, int assert, MPI_Win win), (type, rank, assert, win),
                if (rank != MPI_PROC_NULL) add(win, call, rank, LOCK));
SYNCHRONISATION(MPI_Win_unlock, (int rank, MPI_Win win), (rank, win), end(win, rank, OPERATION); end(win, rank, LOCK));
SYNCHRONISATION(MPI_Win_start, (MPI_Group group, int assert, MPI_Win win), (group, assert, win), add(win, call, ALL, ACCESS));
SYNCHRONISATION(MPI_Win_complete, (MPI_Win win), (win), end(win, ALL, OPERATION); end(win, ALL, ACCESS));
SYNCHRONISATION(MPI_Win_post, (MPI_Group group, int assert, MPI_Win win), (group, assert, win), add(win, call, ALL, EXPOSURE));
SYNCHRONISATION(MPI_Win_wait, (MPI_Win win), (win), end(win, ALL, EXPOSURE));
SYNCHRONISATION(MPI_Win_test, (MPI_Win win, int *flag), (win, flag), if (*flag) end(win, ALL, EXPOSURE));

static void free_window(MPI_Win handle)
{
    for (int kind = OPERATION; kind <= EXPOSURE; kind++)
        end(handle, ALL, kind);
    free(map_take(&windows, KEY(handle)));
}

SHOWN int MPI_Win_free(MPI_Win *win)
{
    REAL(MPI_Win_free);
    if (!layer_enter())
        return real(win);
    MPI_Win handle = *win;
    int result = real(win);
    layer_lock();
    if (result == MPI_SUCCESS)
        free_window(handle);
    layer_unlock();
    layer_leave();
    return result;
}
SHOWN __typeof__(MPI_Win_free) PMPI_Win_free __attribute__((alias("MPI_Win_free")));
