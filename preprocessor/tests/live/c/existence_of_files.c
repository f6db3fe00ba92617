/* The program asks after the checkpoint whether a file exists, and then creates or removes it. A question before the first
 * checkpoint, one about a file of another program, and one after which the program ends need nothing. This is also true for a
 * question by `fopen` without a read, and for a file that `open` only writes.
 * reports: access, stat
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    int i, to, first = 0;
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
        to = open("new.bin", O_WRONLY | O_CREAT, 0644);
        write(to, &i, sizeof i);
        close(to);
        rename("new.bin", "old.bin");
        if ((file = fopen("halt", "r"))) {
            fclose(file);
            remove("halt");
            break;
        }
    }
    printf("%d\n", first);
#pragma cppc shutdown
    return 0;
}
