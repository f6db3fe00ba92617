/* Each step reads a counter in a file, and writes it again. The other files are only read, are written anew, are
 * updated before the first checkpoint, or are devices.
 * reports: count, fopen, open
 * all: byte, count, fopen, open */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void count(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    int number = 0;

    if (file == NULL || fscanf(file, "%d", &number) != 1)
        return;
    rewind(file);
    fprintf(file, "%d\n", number + 1);
    fclose(file);
}

int main(void)
{
    int i, descriptor;
    char byte;
    FILE *in, *out, *kept;

    count("before.txt", "r+");
    fclose(fopen("/dev/null", "r+"));
#pragma cppc init
#pragma cppc execute file(kept, "kept.txt")
    kept = fopen("kept.txt", "rb+");
#pragma cppc end execute
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        count("counter.txt", "r+");
        descriptor = open("bytes", O_RDWR | O_CREAT, 0600);
        if (read(descriptor, &byte, 1) == 1)
            byte++;
        pwrite(descriptor, &byte, 1, 0);
        close(descriptor);
        close(open("/dev/null", O_RDWR));
        in = fopen("in.txt", "r");
        out = fopen("out.txt", "w+");
        fprintf(out, "%d\n", in != NULL);
        fclose(in);
        fclose(out);
        rewind(kept);
        fprintf(kept, "%d\n", i);
        descriptor = open("new", O_RDWR | O_CREAT | O_EXCL, 0600);
        close(descriptor);
    }
#pragma cppc shutdown
    return 0;
}
