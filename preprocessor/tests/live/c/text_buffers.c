/* A buffer that input or output fills is not needed before. A text that is set once is.
 * reports: fgets, half, title
 * all: fgets, half, line, piece, title */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[80], piece[4], title[20], half[40];
    int i, total = 0;
#pragma cppc init
    snprintf(title, sizeof title, "run %d", 3);
    half[0] = 0;
#pragma cppc register(i, total)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        if (fgets(line, sizeof line, stdin) == NULL || read(0, piece, sizeof piece) != sizeof piece)
            break;
        total += (int)strlen(line) + piece[i];
        strncpy(half + 20, line, 20);
        printf("%s %s %d\n", title, half, total);
    }
#pragma cppc shutdown
    return 0;
}
