/* A log and a file for each step, in surroundings that the environment asks for:
 *
 *   CLOSE=early      standard error is closed before `init`; the log gets its number
 *   CLOSE=block      standard error is closed by the block, as a daemon does
 *   CLOSE=all        at step 3 all descriptors are closed, those of libraries too, and the files are opened anew
 *   MASK=0777        the mask for new files
 *   AWAY=PATH        the program changes its directory after `init`
 *   QUIET=1          it prints nothing on standard error
 *   DIE=N            it dies at step N
 * writes: files */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is(const char *name, const char *value)
{
    const char *found = getenv(name);
    return found != NULL && strcmp(found, value) == 0;
}

static void open_log(int *log, const char *name)
{
    *log = open(name, O_RDWR | O_CREAT, 0666);
    if (*log < 0)
        exit(3);
}

int main(void)
{
    int log = -1, i, k, die = getenv("DIE") != NULL ? atoi(getenv("DIE")) : -1;
    char logged[300], name[300];
    FILE *step = NULL;

    if (getenv("MASK") != NULL)
        umask((mode_t)strtol(getenv("MASK"), NULL, 8));
    if (getcwd(logged, 200) == NULL)
        exit(3);
    strcat(logged, "/log.txt");
    if (is("CLOSE", "early"))
        close(2);
#pragma cppc init
    if (getenv("AWAY") != NULL && chdir(getenv("AWAY")) != 0)
        exit(3);
#pragma cppc execute file(log, logged)
    if (is("CLOSE", "block"))
        close(2);
    open_log(&log, logged);
#pragma cppc end execute
#pragma cppc register(i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        if (i == die)
            kill(getpid(), SIGKILL);
        if (i == 3 && is("CLOSE", "all")) {
            for (k = 3; k < 1024; k++)
                close(k);
#pragma cppc execute file(log, logged)
            open_log(&log, logged);
            lseek(log, 0, SEEK_END);
#pragma cppc end execute
        }
        snprintf(name, sizeof name, "%.*s/step-%d.txt", (int)strlen(logged) - 8, logged, i % 4);
#pragma cppc execute capture(name) file(step, name)
        step = fopen(name, "w");
#pragma cppc end execute
        if (step == NULL)
            exit(4);
        fprintf(step, "step %d\n", i);
        fclose(step);
        dprintf(log, "step %d\n", i);
        if (!is("QUIET", "1"))
            fprintf(stderr, "at %d\n", i);
    }
#pragma cppc shutdown
    return 0;
}
