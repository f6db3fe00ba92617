/* Files that each step opens for appending, and closes again: in the loop, in a procedure, and by a procedure that returns
 * the handle. A file that each step writes anew, or that no checkpoint follows, gets no block. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (!file)
        exit(1);
    return file;
}

static void note(int step)
{
    FILE *log = fopen("log.txt", "a");
    fprintf(log, "%d\n", step);
    fclose(log);
}

int main(void)
{
    int step, fd;
    FILE *file;
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        note(step);
        file = opened("state.txt", "w");
        fprintf(file, "%d\n", step);
        fclose(file);
        file = opened("steps.txt", "a");
        fprintf(file, "%d\n", step);
        fclose(file);
        fd = open("raw.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);
        dprintf(fd, "%d\n", step);
        close(fd);
    }
    file = opened("results.txt", "a");
    fprintf(file, "%d\n", step);
    fclose(file);
    return 0;
}
