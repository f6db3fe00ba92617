/* Lets processes of MPICH that wait leave the processors to others.
 *
 * MPICH asks UCX again and again whether a message has come, and never pauses. If there are more processes than
 * processors, most of the time of a test would be spent so. This library stands in front of UCX: a process for which
 * nothing has come many times sleeps for a moment.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS_BEFORE_SLEEP = 200, SLEEP_NS = 50000 };

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*next)(void *);
    static _Thread_local unsigned idle;
    const struct timespec moment = {0, SLEEP_NS};
    unsigned events;

    if (next == NULL)
        next = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (next == NULL)
        abort();
    events = next(worker);
    idle = events == 0 ? idle + 1 : 0;
    if (idle > CALLS_BEFORE_SLEEP)
        nanosleep(&moment, NULL);
    return events;
}
