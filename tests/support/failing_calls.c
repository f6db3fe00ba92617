/* Makes one system call of the product's work on files fail, or kills the process there, without a change to the program.
 *
 * Loaded with LD_PRELOAD. Calls are counted that concern FAILING_DIRS=A:B, directories: by a path below one of them, or by a
 * descriptor that is open on such a path. What is to be done comes from the environment:
 *
 *   FAILING_AT=N           the N-th of these calls fails, from 1 on, and does nothing
 *   FAILING_ERRNO=E        with this error number
 *   FAILING_KILL=self      instead, this process is killed before the N-th call; or its `parent`
 *   FAILING_CALLERS=A:B    only calls from objects count that have A or B in their path
 *   FAILING_RANK=R         only the calls of this process of an MPI program count
 *   FAILING_COUNT=FILE     the number of calls so far is kept in FILE
 *   FAILING_DELAY_US=T     each of these calls takes so much longer
 *   FAILING_CLOCK=1        the clock of the day jumps back and forth by years
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *directories, *callers;
static long at, delay_us, count;
static int error, clock_jumps, is_ready;
enum { COUNT_BYTES = 32 };
static char *count_text;
static pid_t victim;

/* A descriptor would be that of another file in a thread that has another table. */
static void map_count(const char *path)
{
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    void *memory;

    if (descriptor < 0 || syscall(SYS_ftruncate, descriptor, (off_t)COUNT_BYTES) != 0)
        return;
    memory = mmap(NULL, COUNT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    count_text = memory == MAP_FAILED ? NULL : memory;
    syscall(SYS_close, descriptor);
}

__attribute__((constructor)) static void read_orders(void)
{
    const char *value;

    /* The launcher itself has no rank. */
    if ((value = getenv("FAILING_RANK")) != NULL && (rank_text() == NULL || atoi(value) != own_rank()))
        return;
    directories = getenv("FAILING_DIRS");
    callers = getenv("FAILING_CALLERS");
    at = (value = getenv("FAILING_AT")) != NULL ? atol(value) : 0;
    error = (value = getenv("FAILING_ERRNO")) != NULL ? atoi(value) : EIO;
    if ((value = getenv("FAILING_KILL")) != NULL)
        victim = strcmp(value, "parent") == 0 ? getppid() : getpid();
    delay_us = (value = getenv("FAILING_DELAY_US")) != NULL ? atol(value) : 0;
    clock_jumps = getenv("FAILING_CLOCK") != NULL;
    if ((value = getenv("FAILING_COUNT")) != NULL)
        map_count(value);
    is_ready = directories != NULL;
}

/* Whether this call is to fail. */
static int fails(void)
{
    char text[COUNT_BYTES + 1];
    int is_it;

    pthread_mutex_lock(&lock);
    count++;
    is_it = count == at;
    if (count_text != NULL) {
        snprintf(text, sizeof text, "%-*ld\n", COUNT_BYTES - 1, count);
        memcpy(count_text, text, COUNT_BYTES);
    }
    pthread_mutex_unlock(&lock);
    if (delay_us > 0) {
        struct timespec wait = {delay_us / 1000000, delay_us % 1000000 * 1000};
        nanosleep(&wait, NULL);
    }
    if (is_it && victim > 0) {
        kill(victim, SIGKILL);
        return 0;
    }
    if (is_it)
        errno = error;
    return is_it;
}

/* Whether one of the words of a list, with colons between them, is in the text; or at its beginning. */
static int has_one_of(const char *text, const char *words, int at_beginning)
{
    const char *end, *found;

    for (; *words != '\0'; words = *end == ':' ? end + 1 : end) {
        end = strchrnul(words, ':');
        found = memmem(text, strlen(text), words, (size_t)(end - words));
        if (found == text || (found != NULL && !at_beginning))
            return 1;
    }
    return 0;
}

/* Whether calls from this place count. */
static int counts(const void *caller)
{
    Dl_info object;

    if (!is_ready || callers == NULL)
        return is_ready;
    return dladdr(caller, &object) != 0 && object.dli_fname != NULL && has_one_of(object.dli_fname, callers, 0);
}

static int of_path(int from, const char *path);

static int of_descriptor(int descriptor)
{
    char link[64], path[4096];
    long length;

    if (descriptor < 0)
        return 0;
    /* The threads of the runtime have another table than the program. */
    snprintf(link, sizeof link, "/proc/thread-self/fd/%d", descriptor);
    length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = '\0';
    return path[0] == '/' && of_path(-1, path);
}

static int of_path(int from, const char *path)
{
    if (path == NULL)
        return 0;
    if (path[0] != '/' && from == AT_FDCWD) {
        char here[4096];
        return syscall(SYS_getcwd, here, sizeof here) > 0 && of_path(-1, here);
    }
    if (path[0] != '/')
        return of_descriptor(from);
    return has_one_of(path, directories, 1);
}

#define COUNTS counts(__builtin_return_address(0))

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
        return COUNTS && of_path(AT_FDCWD, path) && fails() ? -1 : real(path, flags, mode); \
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
        return COUNTS && of_path(from, path) && fails() ? -1 : real(from, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

#define ON_DESCRIPTOR(type, name, parameters, values, ...)                            \
    type name parameters                                                              \
    {                                                                                 \
        REAL(type, #name, __VA_ARGS__);                                               \
        return COUNTS && of_descriptor(descriptor) && fails() ? (type)-1 : real values; \
    }
ON_DESCRIPTOR(ssize_t, read, (int descriptor, void *into, size_t size), (descriptor, into, size), int, void *, size_t)
ON_DESCRIPTOR(ssize_t, pread, (int descriptor, void *into, size_t size, off_t from), (descriptor, into, size, from), int, void *, size_t, off_t)
ON_DESCRIPTOR(ssize_t, pread64, (int descriptor, void *into, size_t size, off64_t from), (descriptor, into, size, from), int, void *, size_t, off64_t)
ON_DESCRIPTOR(ssize_t, write, (int descriptor, const void *bytes, size_t size), (descriptor, bytes, size), int, const void *, size_t)
ON_DESCRIPTOR(ssize_t, pwrite, (int descriptor, const void *bytes, size_t size, off_t to), (descriptor, bytes, size, to), int, const void *, size_t, off_t)
ON_DESCRIPTOR(ssize_t, pwrite64, (int descriptor, const void *bytes, size_t size, off64_t to), (descriptor, bytes, size, to), int, const void *, size_t, off64_t)
ON_DESCRIPTOR(off_t, lseek, (int descriptor, off_t to, int whence), (descriptor, to, whence), int, off_t, int)
ON_DESCRIPTOR(off64_t, lseek64, (int descriptor, off64_t to, int whence), (descriptor, to, whence), int, off64_t, int)
ON_DESCRIPTOR(int, fsync, (int descriptor), (descriptor), int)
ON_DESCRIPTOR(int, fdatasync, (int descriptor), (descriptor), int)
ON_DESCRIPTOR(int, syncfs, (int descriptor), (descriptor), int)
ON_DESCRIPTOR(int, sync_file_range, (int descriptor, off64_t from, off64_t size, unsigned flags), (descriptor, from, size, flags), int, off64_t, off64_t, unsigned)
ON_DESCRIPTOR(int, ftruncate, (int descriptor, off_t size), (descriptor, size), int, off_t)
ON_DESCRIPTOR(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size), int, off64_t)
ON_DESCRIPTOR(int, fstat, (int descriptor, struct stat *found), (descriptor, found), int, struct stat *)
ON_DESCRIPTOR(int, fstat64, (int descriptor, struct stat64 *found), (descriptor, found), int, struct stat64 *)
ON_DESCRIPTOR(int, dup2, (int descriptor, int to), (descriptor, to), int, int)

int close(int descriptor)
{
    REAL(int, "close", int);

    if (COUNTS && of_descriptor(descriptor) && fails()) {
        int failed = errno;
        /* The descriptor is gone all the same. */
        real(descriptor);
        errno = failed;
        return -1;
    }
    return real(descriptor);
}

#define ON_STREAM(type, name, parameters, values, ...)                                \
    type name parameters                                                              \
    {                                                                                 \
        REAL(type, #name, __VA_ARGS__);                                               \
        return stream != NULL && COUNTS && of_descriptor(fileno(stream)) && fails() ? (type)-1 : real values; \
    }
ON_STREAM(int, fflush, (FILE *stream), (stream), FILE *)
ON_STREAM(off64_t, ftello64, (FILE *stream), (stream), FILE *)
ON_STREAM(int, fseeko64, (FILE *stream, off64_t to, int whence), (stream, to, whence), FILE *, off64_t, int)

#define ON_PATH(type, name, parameters, values, ...)                                  \
    type name parameters                                                              \
    {                                                                                 \
        REAL(type, #name, __VA_ARGS__);                                               \
        return COUNTS && of_path(AT_FDCWD, path) && fails() ? (type)-1 : real values; \
    }
ON_PATH(int, rename, (const char *path, const char *to), (path, to), const char *, const char *)
ON_PATH(int, link, (const char *path, const char *to), (path, to), const char *, const char *)
ON_PATH(int, unlink, (const char *path), (path), const char *)
ON_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
ON_PATH(int, rmdir, (const char *path), (path), const char *)
ON_PATH(int, stat, (const char *path, struct stat *found), (path, found), const char *, struct stat *)
ON_PATH(int, stat64, (const char *path, struct stat64 *found), (path, found), const char *, struct stat64 *)
ON_PATH(int, lstat, (const char *path, struct stat *found), (path, found), const char *, struct stat *)
ON_PATH(int, lstat64, (const char *path, struct stat64 *found), (path, found), const char *, struct stat64 *)
ON_PATH(ssize_t, readlink, (const char *path, char *into, size_t size), (path, into, size), const char *, char *, size_t)

char *realpath(const char *path, char *into)
{
    REAL(char *, "realpath", const char *, char *);
    return COUNTS && of_path(AT_FDCWD, path) && fails() ? NULL : real(path, into);
}

#define FROM_DIRECTORY(name, parameters, values, ...)                                 \
    int name parameters                                                               \
    {                                                                                 \
        REAL(int, #name, __VA_ARGS__);                                                \
        int is_ours = COUNTS && (*path == '\0' ? of_descriptor(from) : of_path(from, path)); \
        return is_ours && fails() ? -1 : real values;                                 \
    }
FROM_DIRECTORY(fstatat, (int from, const char *path, struct stat *found, int flags), (from, path, found, flags), int, const char *, struct stat *, int)
FROM_DIRECTORY(fstatat64, (int from, const char *path, struct stat64 *found, int flags), (from, path, found, flags), int, const char *, struct stat64 *, int)
FROM_DIRECTORY(statx, (int from, const char *path, int flags, unsigned mask, struct statx *found), (from, path, flags, mask, found), int, const char *, int, unsigned, struct statx *)
FROM_DIRECTORY(unlinkat, (int from, const char *path, int flags), (from, path, flags), int, const char *, int)
FROM_DIRECTORY(linkat, (int from, const char *path, int into, const char *to, int flags), (from, path, into, to, flags), int, const char *, int, const char *, int)
FROM_DIRECTORY(renameat, (int from, const char *path, int into, const char *to), (from, path, into, to), int, const char *, int, const char *)

DIR *opendir(const char *path)
{
    REAL(DIR *, "opendir", const char *);
    return COUNTS && of_path(AT_FDCWD, path) && fails() ? NULL : real(path);
}

#define READ_DIRECTORY(name, type)                                                    \
    struct type *name(DIR *opened)                                                    \
    {                                                                                 \
        REAL(struct type *, #name, DIR *);                                            \
        return COUNTS && of_descriptor(dirfd(opened)) && fails() ? NULL : real(opened); \
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
