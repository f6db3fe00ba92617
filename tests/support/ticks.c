/* Kills a generated program at a chosen point of its own work.
 *
 * A generated program calls `tick()` (in Fortran `call tick`) all over its code. With -DTICKS_OF_RUNTIME and the
 * linker's --wrap each block of the runtime that ends is a tick too, so that a run also dies while it resumes.
 * The environment says what to do:
 *
 *   TICKS_OUT=DIR            standard output goes to DIR/out.RANK
 *   TICKS_COUNT=DIR          a process that ends leaves the number of its ticks in DIR/ticks.RANK
 *   TICKS_KILL=N:RANK        that process dies at its N-th tick
 *   TICKS_KILL_AFTER_US=N    each process dies after so many microseconds of the clock
 */
#include <signal.h>
#include <sys/time.h>

#include "garbage.h"
#include "process.h"

void tick(void);
void tick_(void);

static long ticks, kill_at = -1;

__attribute__((constructor)) static void read_orders(void)
{
    const char *order = getenv("TICKS_KILL"), *after = getenv("TICKS_KILL_AFTER_US");
    int victim = 0;

    redirect_output("TICKS_OUT");
    if (order != NULL && (sscanf(order, "%ld:%d", &kill_at, &victim) != 2 || victim != own_rank()))
        kill_at = -1;
    if (after != NULL) {
        struct itimerval timer = {{0, 0}, {0, 0}};
        timer.it_value.tv_sec = atol(after) / 1000000;
        timer.it_value.tv_usec = atol(after) % 1000000;
        /* Nobody handles its signal, which ends the process at once. */
        setitimer(ITIMER_REAL, &timer, NULL);
    }
}

__attribute__((destructor)) static void leave_count(void)
{
    const char *directory = getenv("TICKS_COUNT");
    char path[4096];
    FILE *file;

    if (directory == NULL)
        return;
    snprintf(path, sizeof path, "%s/ticks.%d", directory, own_rank());
    if ((file = fopen(path, "w")) != NULL) {
        fprintf(file, "%ld\n", ticks);
        fclose(file);
    }
}

void tick(void)
{
    if (++ticks == kill_at)
        raise(SIGKILL);
}

void tick_(void)
{
    tick();
}

#ifdef TICKS_OF_RUNTIME
int __real_CPPC_Jump_next(void);
int __wrap_CPPC_Jump_next(void);
int __wrap_CPPC_Jump_next(void)
{
    int next = __real_CPPC_Jump_next();
    tick();
    return next;
}
#endif

#ifdef TICKS_OF_FORTRAN
int __real_cppc_jump_next_(void);
int __wrap_cppc_jump_next_(void);
int __wrap_cppc_jump_next_(void)
{
    int next = __real_cppc_jump_next_();
    tick();
    return next;
}
#endif
