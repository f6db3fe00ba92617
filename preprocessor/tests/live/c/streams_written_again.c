/* Streams that stay open, are read after the checkpoint, and then written at the same position. A stream that is written before
 * it is read needs nothing, nor does a log that is only written.
 * reports: fopen, open
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int i, count = 0, bytes;
    FILE *both, *to, *from, *scratch, *log, *input;
#pragma cppc init
#pragma cppc execute file(both, "both.txt")
    both = fopen("both.txt", "w+");
#pragma cppc end execute
#pragma cppc execute file(to, "two.txt")
    to = fopen("two.txt", "w");
#pragma cppc end execute
#pragma cppc execute file(from, "two.txt")
    from = fopen("two.txt", "r");
#pragma cppc end execute
#pragma cppc execute file(bytes, "bytes.bin")
    bytes = open("bytes.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
#pragma cppc end execute
#pragma cppc execute file(scratch, "scratch.txt")
    scratch = fopen("scratch.txt", "w+");
#pragma cppc end execute
#pragma cppc execute file(log, "log.txt")
    log = fopen("log.txt", "w");
#pragma cppc end execute
#pragma cppc execute file(input, "input.txt")
    input = fopen("input.txt", "r");
#pragma cppc end execute
    fprintf(both, "%8d", count);
    fprintf(to, "%8d", count);
    fflush(to);
    write(bytes, &count, sizeof count);
#pragma cppc register(i, count)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        rewind(both);
        fscanf(both, "%d", &count);
        rewind(both);
        fprintf(both, "%8d", count + i);

        rewind(from);
        fscanf(from, "%d", &count);
        rewind(to);
        fprintf(to, "%8d", count + i);
        fflush(to);

        lseek(bytes, 0, SEEK_SET);
        read(bytes, &count, sizeof count);
        count += i;
        lseek(bytes, 0, SEEK_SET);
        write(bytes, &count, sizeof count);

        rewind(scratch);
        fprintf(scratch, "%d\n", count);
        rewind(scratch);
        fscanf(scratch, "%d", &count);

        rewind(input);
        fscanf(input, "%d", &count);
        fprintf(log, "%d\n", count);
    }
    printf("%d\n", count);
#pragma cppc shutdown
    return 0;
}
