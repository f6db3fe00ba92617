/* Files that a restart opens again at their beginnings: before init, in blocks without `file`, in helpers, and files that it
 * truncates. Files that are closed before the checkpoint, used only in the block, rewound before each use, or used only before
 * init have no position that is needed.
 * reports: fopen, open, sum
 * all: byte, fopen, open, sum
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    return file;
}

static int number(FILE *from)
{
    int value = 0;
    fscanf(from, "%d", &value);
    return value;
}

int main(void)
{
    int i, sum = 0, direct;
    char byte;
    FILE *early = fopen("early.txt", "r"), *header, *in_block, *through_helper, *whole, *log, *again;
    FILE *settings = fopen("settings.txt", "r"), *reused;
    int descriptor = open("bytes", O_RDONLY);
    sum += number(settings);
    fclose(settings);
    reused = fopen("first.txt", "r");
    sum += number(reused);
    fclose(reused);
#pragma cppc init
#pragma cppc register(i, sum)
#pragma cppc execute
    in_block = fopen("in_block.txt", "r");
    through_helper = opened("helper.txt", "r");
    log = fopen("log.txt", "w");
    direct = open("direct.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);
    again = fopen("again.txt", "r");
    whole = fopen("whole.txt", "r");
    sum += number(whole);
    fclose(whole);
#pragma cppc end execute
#pragma cppc execute file(header, "header.txt")
    header = fopen("header.txt", "r");
#pragma cppc end execute
#pragma cppc execute file(reused, "second.txt")
    reused = opened("second.txt", "r");
#pragma cppc end execute
    fprintf(log, "begin\n");
    fclose(log);
    for (i = 0; i < 10; i++) {
        rewind(again);
        sum += number(reused);
        sum += number(early) + number(in_block) + number(through_helper) + number(header) + number(again);
        read(descriptor, &byte, 1);
        pwrite(direct, &byte, 1, i);
#pragma cppc checkpoint
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
