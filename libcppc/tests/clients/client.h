/* Shared by the client programs: ending at a chosen checkpoint, and short names for the calls at the end of
 * every block. KILL_AT=k: the process ends itself with SIGKILL after its k-th checkpoint. */

#ifndef CLIENT_H
#define CLIENT_H

#include <cppc.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int checkpoints_passed;

static void maybe_die(void)
{
    const char *at = getenv("KILL_AT");
    if (at != NULL && ++checkpoints_passed == atoi(at)) {
        kill(getpid(), SIGKILL);
    }
}

#define JUMP if ((cppc_next = CPPC_Jump_next()) != 0) goto cppc_jump

/* A small random number generator whose state is one variable. */
static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 8;
}

#endif
