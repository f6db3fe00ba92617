/* KILL_AT=k: the process ends itself with SIGKILL right after its k-th checkpoint. */

#ifndef DYING_H
#define DYING_H

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void maybe_die(int passed)
{
    const char *at = getenv("KILL_AT");
    if (at != NULL && passed == atoi(at)) kill(getpid(), SIGKILL);
}

#endif
