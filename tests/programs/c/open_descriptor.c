/* Exercises: descriptors: one that is written from the start on, one that appends, with flags of its own, and one
 * that a procedure keeps in a structure; the number of each is the same after a resume as the block gets it.
 * writes: files */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

typedef struct {
    int descriptors[2];
    char path[32];
} Output;

static void put(int descriptor, const char *text)
{
    if (write(descriptor, text, strlen(text)) != (ssize_t)strlen(text))
        exit(2);
}

static void open_all(Output *out)
{
    int which;
    for (which = 0; which < 2; which++) {
#pragma cppc execute capture(which) file(out->descriptors[which], which == 0 ? out->path : "appended.txt")
        int mode = which == 0 ? O_WRONLY : O_RDWR | O_APPEND;
        out->descriptors[which] =
            open(which == 0 ? out->path : "appended.txt", mode | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (out->descriptors[which] < 0)
            exit(1);
#pragma cppc end execute
    }
}

int main(void)
{
    Output out = {{-1, -1}, "plain.txt"};
    char line[64], back[8];
    int i;
    Sum sum = SUM_START;

#pragma cppc init
    open_all(&out);
#pragma cppc register(i, sum)
    for (i = 0; i < 20; i++) {
#pragma cppc checkpoint
        snprintf(line, sizeof line, "%d of the first\n", i);
        put(out.descriptors[0], line);
        if (i % 6 == 5)
            lseek(out.descriptors[0], -9, SEEK_CUR);
        snprintf(line, sizeof line, "%d of the second\n", i);
        put(out.descriptors[1], line);
        if (pread(out.descriptors[1], back, sizeof back, i) == (ssize_t)sizeof back)
            sum = sum_bytes(sum, back, sizeof back);
        sum = sum_int(sum, fcntl(out.descriptors[1], F_GETFL) & (O_APPEND | O_ACCMODE));
        sum = sum_int(sum, fcntl(out.descriptors[1], F_GETFD));
        sum = sum_int(sum, (int)lseek(out.descriptors[0], 0, SEEK_CUR));
        printf("%d %016llx\n", i, sum);
    }
    close(out.descriptors[0]);
    close(out.descriptors[1]);
#pragma cppc shutdown
    return 0;
}
