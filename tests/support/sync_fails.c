/* Makes one sync of one file fail, as a disk does that reports a lost write once.
 *
 * Loaded with LD_PRELOAD. SYNC_FAILS=NAME:N lets the N-th sync of a file fail with EIO whose path ends with NAME. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long syncs;

static int fails(int descriptor)
{
    const char *order = getenv("SYNC_FAILS");
    const char *colon = order != NULL ? strrchr(order, ':') : NULL;
    char link[64], path[4096];
    ssize_t length, wanted;

    if (colon == NULL)
        return 0;
    /* The threads of the runtime have another table than the program. */
    snprintf(link, sizeof link, "/proc/thread-self/fd/%d", descriptor);
    length = readlink(link, path, sizeof path);
    wanted = colon - order;
    if (length < wanted || memcmp(path + length - wanted, order, (size_t)wanted) != 0)
        return 0;
    return ++syncs == atol(colon + 1);
}

static int pass(const char *name, int descriptor)
{
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);

    if (fails(descriptor)) {
        errno = EIO;
        return -1;
    }
    return next(descriptor);
}

int fsync(int descriptor)
{
    return pass("fsync", descriptor);
}

int fdatasync(int descriptor)
{
    return pass("fdatasync", descriptor);
}
