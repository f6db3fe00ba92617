/* The program asks after the checkpoint whether a file exists, and then creates or removes it. A question before the first
 * checkpoint, one about a file of another program, and one after which the program ends need nothing.
 * reports: access, stat
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    int i, first = 0;
    struct stat status;
    FILE *file;
#pragma cppc init
    if (access("restart.txt", R_OK) == 0)
        first = 1;
#pragma cppc register(i, first)
    for (i = first; i < 10; i++) {
#pragma cppc checkpoint
        if (access("flag", F_OK) == 0)
            first++;
        if (i == 2) {
            file = fopen("flag", "w");
            fclose(file);
        }
        if (stat("lock", &status) == 0) {
            first++;
            unlink("lock");
        }
        if (access("input", R_OK) == 0)
            first++;
        file = fopen("restart.txt", "w");
        fprintf(file, "%d\n", i);
        fclose(file);
        if (access("stop", F_OK) == 0) {
            unlink("stop");
            break;
        }
    }
    printf("%d\n", first);
#pragma cppc shutdown
    return 0;
}
