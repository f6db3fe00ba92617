/* Files that must not exist: a resumed run finds what the killed run has created.
 * reports: fopen, open
 * all: fopen, name, open
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int i, bytes;
    char name[20];
    FILE *file;
    fclose(fopen("before.txt", "wx"));
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sprintf(name, "out%d", i);
        file = fopen(name, "wx");
        if (file != NULL)
            fclose(file);
        bytes = open("bytes.bin", O_WRONLY | O_CREAT | O_EXCL, 0600);
        close(bytes);
#pragma cppc execute capture(i) file(file, "last.txt")
        file = fopen("last.txt", "wx");
#pragma cppc end execute
        fclose(file);
    }
#pragma cppc shutdown
    return 0;
}
