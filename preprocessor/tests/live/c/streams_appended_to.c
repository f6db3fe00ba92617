/* A stream that the program reads from the beginning, and then continues at the end.
 * reports: nothing
 * all: value
 */
#include <stdio.h>

int main(void)
{
    int i, value, sum = 0;
    FILE *scratch;
#pragma cppc init
#pragma cppc execute file(scratch, "scratch.bin")
    scratch = fopen("scratch.bin", "w+");
#pragma cppc end execute
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        rewind(scratch);
        while (fread(&value, sizeof value, 1, scratch) == 1)
            sum += value;
        fseek(scratch, 0, SEEK_END);
        fwrite(&i, sizeof i, 1, scratch);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
