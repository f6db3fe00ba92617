/* Exercises: files that each step opens for appending and closes before the next checkpoint: in a procedure, by a procedure
 * that returns the handle, and as a descriptor.
 * writes: files */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (file == NULL)
        exit(1);
    return file;
}

static void note(int i)
{
    FILE *log;
#pragma cppc execute file(log, "log.txt")
    log = fopen("log.txt", "a");
#pragma cppc end execute
    if (log == NULL)
        exit(1);
    fprintf(log, "line %d\n", i);
    fclose(log);
}

int main(void)
{
    Sum sum = SUM_START;
    FILE *file;
    int i, descriptor;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        sum = sum_int(sum, i);
        note(i);
#pragma cppc execute file(file, "steps.txt")
        file = opened("steps.txt", "a");
#pragma cppc end execute
        fprintf(file, "step %d %016llx\n", i, sum);
        fclose(file);
#pragma cppc execute file(descriptor, "raw.txt")
        descriptor = open("raw.txt", O_WRONLY | O_CREAT | O_APPEND, 0666);
#pragma cppc end execute
        dprintf(descriptor, "%d\n", i);
        close(descriptor);
        printf("%d %016llx\n", i, sum);
    }
#pragma cppc shutdown
    return 0;
}
