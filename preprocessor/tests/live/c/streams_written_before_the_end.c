/* A stream that the program reads, and then writes at a position that it counts from the end.
 * reports: fopen
 * all: fopen, value
 */
#include <stdio.h>

int main(void)
{
    int i, value = 0;
    FILE *scratch;
#pragma cppc init
#pragma cppc execute file(scratch, "scratch.bin")
    scratch = fopen("scratch.bin", "w+");
#pragma cppc end execute
    fwrite(&value, sizeof value, 1, scratch);
#pragma cppc register(i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        rewind(scratch);
        if (fread(&value, sizeof value, 1, scratch) != 1)
            break;
        value += i;
        fseek(scratch, -4, SEEK_END);
        fwrite(&value, sizeof value, 1, scratch);
    }
    printf("%d\n", i);
#pragma cppc shutdown
    return 0;
}
