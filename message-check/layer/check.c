/*
 * The interface to the runtime: counting is turned on, and a checkpoint is checked.
 */
#include "layer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The version of this interface. */
#define VERSION 2
#define MOST_REPORTS 20

enum outcome { SAFE, UNSAFE };

typedef void reporter(void *context, int is_note, const char *text);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int depth;
static int is_on = 1;
static MPI_Comm own = MPI_COMM_NULL;
static int is_checking;
static struct {
    reporter *function;
    void *context;
    int count;
} reporting;

void *layer_find(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "cppc: the check of messages finds no `%s`: is MPI linked as a shared library?\n", name);
        exit(1);
    }
    return found;
}

int layer_enter(void)
{
    if (depth || !__atomic_load_n(&is_on, __ATOMIC_RELAXED))
        return 0;
    depth++;
    return 1;
}

void layer_leave(void)
{
    depth--;
}

void layer_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void layer_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

int layer_has_received(int result)
{
    int class = result;
    if (result == MPI_SUCCESS)
        return 1;
    PMPI_Error_class(result, &class);
    return class == MPI_ERR_TRUNCATE;
}

static void say(int is_note, const char *format, va_list arguments)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    if (reporting.function)
        reporting.function(reporting.context, is_note, text);
}

void report(const char *format, ...)
{
    va_list arguments;
    reporting.count++;
    if (reporting.count > MOST_REPORTS)
        return;
    va_start(arguments, format);
    say(0, format, arguments);
    va_end(arguments);
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(1, format, arguments);
    va_end(arguments);
}

/* Whether this layer fits a runtime with this interface and MPI. */
SHOWN int CPPC_Messages_fit(int version, size_t communicator_bytes)
{
    return version == VERSION && communicator_bytes == sizeof(MPI_Comm);
}

/* The messages of this communicator are those of the runtime. */
SHOWN void CPPC_Messages_own(MPI_Comm comm)
{
    layer_lock();
    depth++;
    communicator_of(comm)->is_own = 1;
    depth--;
    layer_unlock();
}

/* Turns counting off, or names the communicator for checks. */
SHOWN void CPPC_Messages_switch(int on, MPI_Comm comm)
{
    layer_lock();
    __atomic_store_n(&is_on, on, __ATOMIC_RELAXED);
    is_checking = on;
    own = comm;
    layer_unlock();
}

/* The sum of these words over all processes. The runtime has waited until all of them are here. */
static void sum(uint64_t *words, int count)
{
    uint64_t total[8];
    MPI_Request request;
    int is_done = 0;
    PMPI_Iallreduce(words, total, count, MPI_UINT64_T, MPI_SUM, own, &request);
    for (unsigned long tries = 0; !is_done; tries++) {
        PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done && tries >= 100)
            sched_yield();
    }
    for (int word = 0; word < count; word++)
        words[word] = total[word];
}

static enum outcome check(void)
{
    requests_progress();
    uint64_t open = requests_open() + windows_open();
    uint64_t words[] = {open, channels_difference()};
    uint64_t compared = words[1];
    /* Other threads may have to communicate before all processes are here. */
    layer_unlock();
    sum(words, 2);
    layer_lock();
    channels_warn();
    files_warn();
    if (!words[0] && !words[1]) {
        channels_reset(compared);
        return SAFE;
    }
    reporting.count = 0;
    requests_report();
    windows_report();
    if (words[1])
        channels_report(own);
    if (reporting.count > MOST_REPORTS)
        note("and %d more", reporting.count - MOST_REPORTS);
    return UNSAFE;
}

/* Collective. All processes are at one checkpoint. */
SHOWN int CPPC_Messages_check(reporter *function, void *context)
{
    if (!is_checking)
        return SAFE;
    layer_lock();
    depth++;
    reporting.function = function;
    reporting.context = context;
    int outcome = check();
    reporting.function = NULL;
    depth--;
    layer_unlock();
    return outcome;
}

SHOWN int MPI_Finalize(void)
{
    REAL(MPI_Finalize);
    depth++;
    layer_lock();
    requests_free();
    layer_unlock();
    depth--;
    return real();
}
SHOWN __typeof__(MPI_Finalize) PMPI_Finalize __attribute__((alias("MPI_Finalize")));
