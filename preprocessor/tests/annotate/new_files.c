/* Files that must not exist, and that are opened in each step. */
#include <stdio.h>

int main(void)
{
    char name[20];
    FILE *file;
    for (int i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sprintf(name, "out%d", i);
        file = fopen(name, "wx");
        if (file != NULL)
            fclose(file);
    }
    return 0;
}
