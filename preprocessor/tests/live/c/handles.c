/* reports: copied, fd, log, open */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static FILE *begin(const char *name)
{
    FILE *file = fopen(name, "w");
    return file;
}

int main(void)
{
    int i, fd, early;
    FILE *log, *copied, *kept, *each;
    char letter;
    early = open("early.txt", O_RDONLY);
#pragma cppc init
    log = begin("log.txt");
    fd = open("input.txt", O_RDONLY);
    copied = log;
#pragma cppc execute file(kept, "kept.txt")
    kept = fopen("kept.txt", "w");
#pragma cppc end execute
#pragma cppc register(i, fd)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        each = begin("each.txt");
        fprintf(each, "%d\n", i);
        fclose(each);
        fprintf(i % 2 ? log : copied, "%d\n", i);
        fprintf(kept, "%d\n", i);
        i += read(fd, &letter, 1) > read(early, &letter, 1);
    }
    fclose(log);
    fclose(kept);
#pragma cppc shutdown
    return 0;
}
