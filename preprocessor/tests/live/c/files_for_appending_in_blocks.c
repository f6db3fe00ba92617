/* Files that each step opens for appending, in blocks.
 * reports: nothing
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void note(int i)
{
    FILE *file;
#pragma cppc execute file(file, "log.txt")
    file = fopen("log.txt", "a");
#pragma cppc end execute
    fprintf(file, "%d\n", i);
    fclose(file);
}

int main(void)
{
    int i, fd;
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        note(i);
#pragma cppc execute file(fd, "raw.txt")
        fd = open("raw.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);
#pragma cppc end execute
        dprintf(fd, "%d\n", i);
        close(fd);
    }
#pragma cppc shutdown
    return 0;
}
