/* Opens and closes descriptors all the time while dumps are written in the background. It prints how often
 *
 *   number   a new descriptor did not get the lowest free number
 *   pipe     the read end of a pipe did not report the end after the program had closed the write end
 *   lock     another process could lock a file that the program has locked
 *
 * and it exits with status 5 if it has never seen the thread that writes. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 1 << 20, STEPS = 10, OPENINGS = 20000, LOOKS = 200 };

static int lowest;

static int opened_number(void)
{
    int number = open("/dev/null", O_RDONLY);
    if (number < 0)
        exit(3);
    close(number);
    return number;
}

/* Whether a thread is writing a dump: it has the temporary file open. */
static int is_writing(void)
{
    char path[300], target[300];
    int found = 0;
    struct dirent *thread, *number;
    DIR *threads = opendir("/proc/self/task"), *numbers;
    while (threads != NULL && (thread = readdir(threads)) != NULL) {
        snprintf(path, sizeof path, "/proc/self/task/%.20s/fd", thread->d_name);
        numbers = thread->d_name[0] == '.' ? NULL : opendir(path);
        while (numbers != NULL && (number = readdir(numbers)) != NULL) {
            snprintf(path, sizeof path, "/proc/self/task/%.20s/fd/%.20s", thread->d_name, number->d_name);
            ssize_t length = readlink(path, target, sizeof target - 1);
            target[length < 0 ? 0 : length] = 0;
            found |= strstr(target, "/dump-") != NULL;
        }
        if (numbers != NULL)
            closedir(numbers);
    }
    if (threads != NULL)
        closedir(threads);
    return found;
}

static int is_at_end(int end)
{
    char byte;
    return read(end, &byte, 1) == 0;
}

/* Whether a child of fork can lock the file. */
static int is_lockable(int file)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(fcntl(file, F_SETLK, &lock) == 0);
    if (child < 0 || waitpid(child, &status, 0) != child)
        exit(3);
    return WEXITSTATUS(status);
}

int main(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int i, k, early[2], late[2], locked = -1, numbers = 0, pipes = 0, locks = 0, seen = 0;
    double *state = malloc(WORDS * sizeof *state);

    if (state == NULL || pipe2(early, O_NONBLOCK) != 0)
        exit(3);
    for (k = 0; k < WORDS; k++)
        state[k] = k;
#pragma cppc init
#pragma cppc execute file(locked, "locked.txt")
    locked = open("locked.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);
#pragma cppc end execute
#pragma cppc register(i, state[WORDS])
    if (fcntl(locked, F_SETLK, &lock) != 0)
        exit(3);
    close(early[1]);
    pipes += !is_at_end(early[0]);
    for (i = 0; i < STEPS; i++) {
        state[i] += 1;
        dprintf(locked, "step %d\n", i);
        if (pipe2(late, O_NONBLOCK) != 0)
            exit(3);
        lowest = opened_number();
#pragma cppc checkpoint
        for (k = 0; k < LOOKS && !is_writing(); k++) {
        }
        seen += k < LOOKS;
        close(late[1]);
        pipes += !is_at_end(late[0]);
        lowest = late[1] < lowest ? late[1] : lowest;
        for (k = 0; k < OPENINGS; k++)
            numbers += opened_number() != lowest;
        locks += is_lockable(locked);
        close(late[0]);
    }
    printf("number %d pipe %d lock %d\n", numbers, pipes, locks);
    if (seen == 0)
        exit(5);
#pragma cppc shutdown
    return 0;
}
