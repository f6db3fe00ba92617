/* A restart needs the content that a file had at the checkpoint. `next` shortens the file through its descriptor.
 * reports: ftruncate
 */
#include <stdio.h>
#include <unistd.h>

static void next(int log)
{
    ftruncate(log, 2);
}

int main(void)
{
    int i;
    FILE *log;
#pragma cppc init
#pragma cppc register(i)
#pragma cppc execute file(log, "log.txt")
    log = fopen("log.txt", "w");
#pragma cppc end execute
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        fprintf(log, "step %d\n", i);
        fflush(log);
        next(fileno(log));
    }
    fclose(log);
#pragma cppc shutdown
    return 0;
}
