/* Statements that set a handle to null. One with another effect gets no block. Neither does an initial value that the same
 * declaration reads. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct output {
    FILE *file;
};

static void end(struct output *output)
{
    fclose(output->file);
    output->file = NULL;
}

int main(void)
{
#pragma cppc init
    int count = 3, step, k, fd = -1, last = fd;
    FILE *log = NULL, *parts[2], *other = NULL;
    struct output output = {NULL};

    for (k = 0; k < 2; k++)
        parts[k] = NULL;
    for (step = 0; step < 9; step++) {
        if (step == 2) {
            log = fopen("log.txt", "w");
            other = fopen("other.txt", "w");
            parts[1] = fopen("part.txt", "w");
            output.file = fopen("output.txt", "w");
            fd = open("data.txt", O_RDONLY);
        }
        if (log && other && parts[1] && output.file)
            fprintf(log, "%d\n", count++);
        if (step == 5) {
            fclose(log);
            log = NULL, count = 0;
            fclose(other);
            (other = NULL);
            end(&output);
            close(fd);
            fd = -1;
        }
#pragma cppc checkpoint
    }
    printf("%d %d %d %d\n", log == NULL, other == NULL, count, last + fd);
    return 0;
}
