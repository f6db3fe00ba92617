/* Exercises: execute blocks that open, write and close their files: a stream that is left as it is, a descriptor, a callee that
 * closes, several files in one block, a file that replaces the other by its name, a counter that is read and written, one
 * that a later block opens and keeps, one that the block reads after it has written it, and one that is not there at first.
 * writes: files */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 12
/* The runtime gets the stream that the block has closed. */
#pragma GCC diagnostic ignored "-Wuse-after-free"
#endif

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (file == NULL)
        exit(1);
    return file;
}

/* As a run finds them that is started from the beginning. */
static void start_empty(const char *name)
{
    FILE *file;
#pragma cppc execute file(file, name)
    file = opened(name, "w");
    fclose(file);
#pragma cppc end execute
}

static void put_and_close(FILE *file, int i)
{
    fprintf(file, "callee %d\n", i);
    fclose(file);
}

/* One line in each turn. */
static void append(int i)
{
    FILE *log, *other;
    int number;
#pragma cppc execute file(log, "log.txt") file(number, "numbers.txt") file(other, "other.txt")
    log = opened("log.txt", "a");
    fprintf(log, "line %d\n", i);
    fclose(log);
    number = open("numbers.txt", O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (write(number, "number\n", 7) != 7)
        exit(2);
    close(number);
    other = opened("other.txt", "a");
    put_and_close(other, i);
#pragma cppc end execute
}

/* The newest content alone; another file takes the name. */
static void replace(int i)
{
    FILE *newest;
#pragma cppc execute file(newest, "newest.txt")
    newest = opened("newest.tmp", "w");
    fprintf(newest, "%*d\n", 40 - i % 3 * 10, i);
    fclose(newest);
    if (rename("newest.tmp", "newest.txt") != 0)
        exit(3);
#pragma cppc end execute
}

static void count(void)
{
    FILE *counter;
    int count = 0;
#pragma cppc execute file(counter, "counter.txt")
    counter = fopen("counter.txt", "r+");
    if (counter == NULL)
        exit(4);
    if (fscanf(counter, "%d", &count) == 1 && count != 1)
        exit(5);
    rewind(counter);
    fprintf(counter, "%d\n", 1);
    fclose(counter);
#pragma cppc end execute
}

int main(void)
{
    FILE *kept = NULL, *back = NULL;
    int i;
    char text[16] = "";
    Sum sum = SUM_START;

#pragma cppc init
    start_empty("log.txt");
    start_empty("numbers.txt");
    start_empty("other.txt");
    start_empty("counter.txt");
    start_empty("kept.txt");
    start_empty("back.txt");
    count();
#pragma cppc execute file(kept, "kept.txt")
    kept = opened("kept.txt", "a");
    fprintf(kept, "head\n");
    fclose(kept);
#pragma cppc end execute
#pragma cppc execute file(kept, "kept.txt")
    kept = opened("kept.txt", "a");
#pragma cppc end execute
#pragma cppc execute file(back, "back.txt")
    back = opened("back.txt", "a");
    fprintf(back, "a\nb\nc\nd\ne\nf\ng\nh\n");
    fclose(back);
    back = opened("back.txt", "r");
#pragma cppc end execute
#pragma cppc register(i, sum, text)
    for (i = 0; i < 8; i++) {
#pragma cppc allow(C0713)
#pragma cppc checkpoint
        append(i);
        replace(i);
        sum = sum_int(sum, i);
        fprintf(kept, "kept %d\n", i);
        if (fgets(text, sizeof text, back) == NULL)
            exit(6);
#pragma cppc checkpoint
        printf("%d %s %016llx\n", i, text, sum);
    }
    fclose(kept);
    fclose(back);
#pragma cppc shutdown
    return 0;
}
