/* Makes one system call of the program's work on its state directory fail, without a change to the program.
 *
 * Loaded with LD_PRELOAD. Calls are counted that concern FAILING_DIR: by a path below it, or by a descriptor that such a
 * path gave. What is to be done comes from the environment:
 *
 *   FAILING_AT=N        the N-th of these calls fails, from 1 on, and does nothing
 *   FAILING_ERRNO=E     with this error number
 *   FAILING_COUNT=FILE  the number of calls so far is kept in FILE
 *   FAILING_DELAY_US=T  each of these calls takes so much longer
 *   FAILING_CLOCK=1     the clock of the day jumps back and forth by years
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char ours[MOST];
static const char *directory;
static long at, delay_us, count;
static int error, clock_jumps, count_descriptor = -1, is_ready;

__attribute__((constructor)) static void read_orders(void)
{
    const char *value;

    directory = getenv("FAILING_DIR");
    at = (value = getenv("FAILING_AT")) != NULL ? atol(value) : 0;
    error = (value = getenv("FAILING_ERRNO")) != NULL ? atoi(value) : EIO;
    delay_us = (value = getenv("FAILING_DELAY_US")) != NULL ? atol(value) : 0;
    clock_jumps = getenv("FAILING_CLOCK") != NULL;
    if ((value = getenv("FAILING_COUNT")) != NULL)
        count_descriptor = (int)syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    is_ready = 1;
}

/* Whether this call is to fail. */
static int fails(void)
{
    char text[32];
    int is_it, length;

    pthread_mutex_lock(&lock);
    count++;
    is_it = count == at;
    if (count_descriptor >= 0) {
        length = snprintf(text, sizeof text, "%ld\n", count);
        syscall(SYS_pwrite64, count_descriptor, text, (size_t)length, (off_t)0);
    }
    pthread_mutex_unlock(&lock);
    if (delay_us > 0) {
        struct timespec wait = {delay_us / 1000000, delay_us % 1000000 * 1000};
        nanosleep(&wait, NULL);
    }
    if (is_it)
        errno = error;
    return is_it;
}

static int of_path(int at_directory, const char *path)
{
    if (!is_ready || directory == NULL || path == NULL)
        return 0;
    if (path[0] != '/')
        return at_directory >= 0 && at_directory < MOST && ours[at_directory];
    return strncmp(path, directory, strlen(directory)) == 0;
}

static int of_descriptor(int descriptor)
{
    return is_ready && descriptor >= 0 && descriptor < MOST && ours[descriptor];
}

static int keep(int descriptor, int is_ours)
{
    if (descriptor >= 0 && descriptor < MOST)
        ours[descriptor] = (char)is_ours;
    return descriptor;
}

#define REAL(type, name, ...)                                   \
    static type (*real)(__VA_ARGS__);                           \
    if (real == NULL)                                           \
        real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define OPEN(name)                                                                    \
    int name(const char *path, int flags, ...)                                        \
    {                                                                                 \
        REAL(int, #name, const char *, int, ...);                                     \
        va_list rest;                                                                 \
        mode_t mode;                                                                  \
        va_start(rest, flags);                                                        \
        mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;              \
        va_end(rest);                                                                 \
        if (!of_path(-1, path))                                                       \
            return keep(real(path, flags, mode), 0);                                  \
        return fails() ? -1 : keep(real(path, flags, mode), 1);                       \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                  \
    int name(int from, const char *path, int flags, ...)                              \
    {                                                                                 \
        REAL(int, #name, int, const char *, int, ...);                                \
        va_list rest;                                                                 \
        mode_t mode;                                                                  \
        va_start(rest, flags);                                                        \
        mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;              \
        va_end(rest);                                                                 \
        if (!of_path(from, path))                                                     \
            return keep(real(from, path, flags, mode), 0);                            \
        return fails() ? -1 : keep(real(from, path, flags, mode), 1);                 \
    }
OPENAT(openat)
OPENAT(openat64)

#define ON_DESCRIPTOR(type, name, parameters, values, ...)                            \
    type name parameters                                                              \
    {                                                                                 \
        REAL(type, #name, __VA_ARGS__);                                               \
        return of_descriptor(descriptor) && fails() ? (type)-1 : real values;         \
    }
ON_DESCRIPTOR(ssize_t, read, (int descriptor, void *into, size_t size), (descriptor, into, size), int, void *, size_t)
ON_DESCRIPTOR(ssize_t, pread, (int descriptor, void *into, size_t size, off_t from), (descriptor, into, size, from), int, void *, size_t, off_t)
ON_DESCRIPTOR(ssize_t, pread64, (int descriptor, void *into, size_t size, off64_t from), (descriptor, into, size, from), int, void *, size_t, off64_t)
ON_DESCRIPTOR(ssize_t, write, (int descriptor, const void *bytes, size_t size), (descriptor, bytes, size), int, const void *, size_t)
ON_DESCRIPTOR(ssize_t, pwrite, (int descriptor, const void *bytes, size_t size, off_t to), (descriptor, bytes, size, to), int, const void *, size_t, off_t)
ON_DESCRIPTOR(ssize_t, pwrite64, (int descriptor, const void *bytes, size_t size, off64_t to), (descriptor, bytes, size, to), int, const void *, size_t, off64_t)
ON_DESCRIPTOR(int, fsync, (int descriptor), (descriptor), int)
ON_DESCRIPTOR(int, fdatasync, (int descriptor), (descriptor), int)
ON_DESCRIPTOR(int, ftruncate, (int descriptor, off_t size), (descriptor, size), int, off_t)
ON_DESCRIPTOR(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size), int, off64_t)
ON_DESCRIPTOR(int, fstat, (int descriptor, struct stat *found), (descriptor, found), int, struct stat *)
ON_DESCRIPTOR(int, fstat64, (int descriptor, struct stat64 *found), (descriptor, found), int, struct stat64 *)

int close(int descriptor)
{
    REAL(int, "close", int);
    int is_ours = of_descriptor(descriptor);

    keep(descriptor, 0);
    if (is_ours && fails()) {
        int failed = errno;
        /* The descriptor is gone all the same. */
        real(descriptor);
        errno = failed;
        return -1;
    }
    return real(descriptor);
}

#define ON_PATH(name, parameters, values, ...)                                        \
    int name parameters                                                               \
    {                                                                                 \
        REAL(int, #name, __VA_ARGS__);                                                \
        return of_path(-1, path) && fails() ? -1 : real values;                       \
    }
ON_PATH(rename, (const char *path, const char *to), (path, to), const char *, const char *)
ON_PATH(link, (const char *path, const char *to), (path, to), const char *, const char *)
ON_PATH(unlink, (const char *path), (path), const char *)
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
ON_PATH(rmdir, (const char *path), (path), const char *)
ON_PATH(stat, (const char *path, struct stat *found), (path, found), const char *, struct stat *)
ON_PATH(stat64, (const char *path, struct stat64 *found), (path, found), const char *, struct stat64 *)
ON_PATH(lstat, (const char *path, struct stat *found), (path, found), const char *, struct stat *)
ON_PATH(lstat64, (const char *path, struct stat64 *found), (path, found), const char *, struct stat64 *)

#define FROM_DIRECTORY(name, parameters, values, ...)                                 \
    int name parameters                                                               \
    {                                                                                 \
        REAL(int, #name, __VA_ARGS__);                                                \
        int is_ours = *path == '\0' ? of_descriptor(from) : of_path(from, path);      \
        return is_ours && fails() ? -1 : real values;                                 \
    }
FROM_DIRECTORY(fstatat, (int from, const char *path, struct stat *found, int flags), (from, path, found, flags), int, const char *, struct stat *, int)
FROM_DIRECTORY(fstatat64, (int from, const char *path, struct stat64 *found, int flags), (from, path, found, flags), int, const char *, struct stat64 *, int)
FROM_DIRECTORY(statx, (int from, const char *path, int flags, unsigned mask, struct statx *found), (from, path, flags, mask, found), int, const char *, int, unsigned, struct statx *)
FROM_DIRECTORY(unlinkat, (int from, const char *path, int flags), (from, path, flags), int, const char *, int)

DIR *opendir(const char *path)
{
    REAL(DIR *, "opendir", const char *);
    DIR *opened;

    if (!of_path(-1, path))
        return real(path);
    if (fails() || (opened = real(path)) == NULL)
        return NULL;
    keep(dirfd(opened), 1);
    return opened;
}

#define READ_DIRECTORY(name, type)                                                    \
    struct type *name(DIR *opened)                                                    \
    {                                                                                 \
        REAL(struct type *, #name, DIR *);                                            \
        return of_descriptor(dirfd(opened)) && fails() ? NULL : real(opened);         \
    }
READ_DIRECTORY(readdir, dirent)
READ_DIRECTORY(readdir64, dirent64)

int clock_gettime(clockid_t which, struct timespec *now)
{
    REAL(int, "clock_gettime", clockid_t, struct timespec *);
    static long calls;
    int result = real(which, now);

    if (clock_jumps && which == CLOCK_REALTIME && result == 0)
        now->tv_sec += (calls++ % 2 == 0 ? 1 : -1) * 100000000L;
    return result;
}
