/* Exercises: a file that was there before the program, read by the block and then updated in place and beyond its
 * end; the block finds it again as it was at the checkpoint. A block that must not find a file. And several handles on
 * one file: of a writer and a reader, of descriptors that have one place together, of a stream over a descriptor.
 * writes: files
 * rehearse: --compare base.dat --compare fresh.txt */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void make_base(void)
{
    int base = open("base.dat", O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (base >= 0 && (write(base, "header: 0007\n", 13) != 13 || close(base) != 0))
        exit(1);
}

int main(void)
{
    FILE *base = NULL;
    FILE *writer, *reader, *over;
    int lock = -1, number = 0, i, first, second, below;
    char line[32];

    make_base();
#pragma cppc init
    unlink("fresh.txt");
#pragma cppc execute file(base, "base.dat") file(lock, "fresh.txt")
    base = fopen("base.dat", "r+");
    lock = open("fresh.txt", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (base == NULL || lock < 0 || fscanf(base, "header: %d", &number) != 1 || number != 7)
        exit(1);
    fseek(base, 0, SEEK_END);
#pragma cppc end execute
#pragma cppc execute file(reader, "both.txt") file(writer, "both.txt") file(first, "pair.txt") file(second, "pair.txt") \
    file(over, "over.txt") file(below, "over.txt")
    writer = fopen("both.txt", "w");
    reader = fopen("both.txt", "r");
    first = open("pair.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    second = dup(first);
    below = open("over.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    over = fdopen(below, "w");
    if (writer == NULL || reader == NULL || second < 0 || over == NULL)
        exit(1);
#pragma cppc end execute
#pragma cppc register(i)
    for (i = 0; i < 16; i++) {
#pragma cppc allow(C0713)
#pragma cppc checkpoint
        fprintf(base, "%d entries of %d\n", i, number);
        snprintf(line, sizeof line, "%04d", i);
        if (pwrite(lock, line, strlen(line), 2 * i) < 0)
            exit(2);
        fprintf(writer, "line %d\n", i);
        fflush(writer);
        if (fgets(line, sizeof line, reader) == NULL || dprintf(first, "first %d\n", i) < 0 || dprintf(second, "second %d\n", i) < 0)
            exit(2);
        fprintf(over, "over %d\n", i);
        printf("%d %d %ld %s", i, number, ftell(base), line);
    }
    fclose(base);
    close(lock);
#pragma cppc shutdown
    return 0;
}
