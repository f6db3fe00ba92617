/* Calls the library in a signal handler again and again while it writes state, and prints whether such a call has allocated
 * memory: the signal may have interrupted `malloc`, which would then wait for itself. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cppc.h>

extern void *__libc_malloc(size_t size);

/* For each thread: the thread that writes state may allocate memory at any time. */
static __thread volatile sig_atomic_t is_in_handler;
static volatile sig_atomic_t calls, has_allocated;

void *malloc(size_t size)
{
    if (is_in_handler)
        has_allocated = 1;
    return __libc_malloc(size);
}

static void on_signal(int number)
{
    (void) number;
    is_in_handler = 1;
    calls++;
    CPPC_Jump_next();
    is_in_handler = 0;
}

int main(int argc, char **argv)
{
    static char big[1 << 24];

    CPPC_Init(&argc, &argv);
    CPPC_Register(0, big, sizeof big, CPPC_CHAR, "big", CPPC_STATIC);
    signal(SIGALRM, on_signal);
    /* Until a signal has come in a call. */
    while (calls < 20) {
        ualarm(500, 0);
        CPPC_Do_checkpoint(1);
    }
    signal(SIGALRM, SIG_IGN);
    CPPC_Shutdown();
    printf("allocated: %d\n", (int) has_allocated);
    return 0;
}
