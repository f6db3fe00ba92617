/* Exercises: an open file, opened again by an execute block after a resume, its position kept in a
 * register; its first line comes from a captured array. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

int main(void)
{
    char title[12] = "first line";
    char line[256];
    FILE *in;
    long position = 0;
    int i, bytes = 0;
    Sum sum = SUM_START;

#pragma cppc init
#pragma cppc execute capture(title)
    in = tmpfile();
    if (in == NULL)
        exit(1);
    fprintf(in, "%s\nsecond, longer line\nthird\n\nfifth after an empty one\nlast\n", title);
    rewind(in);
#pragma cppc end execute
    strcpy(title, "changed");
#pragma cppc register(title)
#pragma cppc register(i, position, bytes, sum)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        if (fseek(in, position, SEEK_SET) != 0 || fgets(line, sizeof line, in) == NULL)
            break;
        position = ftell(in);
        bytes += (int)strlen(line);
        sum = sum_bytes(sum, line, strlen(line));
        printf("%d %d %016llx %ld %s\n", i, bytes, sum, position, title);
    }
    fclose(in);
#pragma cppc shutdown
    return 0;
}
