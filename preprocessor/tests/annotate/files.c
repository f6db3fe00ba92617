/* Files that procedures open and return, or that a structure has; copies of descriptors; a file without a name. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    int descriptor;
    int lines;
} Output;

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (file == NULL)
        exit(1);
    return file;
}

static void open_output(Output *output, int number)
{
    output->descriptor = open(number == 0 ? "zero.txt" : "other.txt", O_WRONLY | O_CREAT, 0600);
}

int main(void)
{
    FILE *log, *scratch, *closed, *over;
    Output output;
    int first, second, i;

    closed = opened("closed.txt", "w");
    fclose(closed);
    log = opened("log.txt", "w");
    scratch = tmpfile();
    open_output(&output, 0);
    first = open("first.txt", O_WRONLY | O_CREAT, 0600);
    second = dup(first);
    over = fdopen(second, "w");
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        fprintf(log, "%d\n", i);
        fprintf(over, "%d\n", i);
        fprintf(scratch, "%d\n", i);
        dprintf(output.descriptor, "%d\n", i);
    }
    return 0;
}
