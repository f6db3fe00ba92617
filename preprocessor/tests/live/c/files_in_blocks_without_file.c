/* A restart opens the file again at its end, behind what the lost run has appended after the checkpoint.
 * reports: fopen
 */
#include <stdio.h>

int main(void)
{
    int i;
    FILE *file;
#pragma cppc init
#pragma cppc register(i)
#pragma cppc execute
    file = fopen("log.txt", "a");
#pragma cppc end execute
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        fprintf(file, "%d\n", i);
    }
    fclose(file);
#pragma cppc shutdown
    return 0;
}
