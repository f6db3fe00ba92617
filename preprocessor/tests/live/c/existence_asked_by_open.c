/* The program opens a file only to see whether it exists, and then creates it. One procedure opens all files.
 * reports: fopen
 */
#include <stdio.h>

static FILE *opened(const char *name, const char *mode)
{
    return fopen(name, mode);
}

int main(void)
{
    int i, count = 0;
    FILE *file;
#pragma cppc init
#pragma cppc register(i, count)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        file = opened("mark", "r");
        if (file != NULL) {
            count++;
            fclose(file);
        }
        file = opened("mark", "w");
        fclose(file);
        file = opened("input.txt", "r");
        if (fscanf(file, "%d", &i) != 1)
            i = 0;
        fclose(file);
    }
    printf("%d\n", count);
#pragma cppc shutdown
    return 0;
}
