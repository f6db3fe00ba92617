/* Files that each step opens for appending: through a procedure, with a mode of the caller, and as a descriptor. A step that
 * reads a file, or that writes it anew, is not reported. Neither is a file that no checkpoint follows.
 * reports: opened
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (!file)
        perror(name);
    return file;
}

static void announce(const char *text)
{
    FILE *file = fopen("start.log", "a");
    fputs(text, file);
    fclose(file);
}

int main(void)
{
    int i;
    FILE *file;
    announce("start\n");
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        file = opened("state.txt", "w");
        fprintf(file, "%d\n", i);
        fclose(file);
        file = opened("log.txt", "a");
        fprintf(file, "%d\n", i);
        fclose(file);
    }
    file = opened("results.txt", "a");
    fprintf(file, "%d\n", i);
    fclose(file);
#pragma cppc shutdown
    return 0;
}
