/* Files that are read after the checkpoint, and then written again under the same name. A file that is written before it is read
 * needs nothing, nor do two files.
 * reports: fopen, open
 * all: fopen, open, value
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int number(const char *name)
{
    int value = 0;
    FILE *from = fopen(name, "r");
    if (from != NULL) {
        fscanf(from, "%d", &value);
        fclose(from);
    }
    return value;
}

int main(void)
{
    int i, bytes, sum = 0, value = 0;
    FILE *file;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        file = fopen("values.txt", "r");
        fscanf(file, "%d", &value);
        fclose(file);
        sum += value;
        file = fopen("values.txt", "w");
        fprintf(file, "%d\n", sum);
        fclose(file);

        bytes = open("values.bin", O_RDONLY);
        read(bytes, &value, sizeof value);
        close(bytes);
        sum += value;
        bytes = open("values.bin", O_WRONLY);
        write(bytes, &sum, sizeof sum);
        close(bytes);

        file = fopen("written.txt", "w");
        fprintf(file, "%d\n", sum);
        fclose(file);
        file = fopen("written.txt", "r");
        fscanf(file, "%d", &value);
        fclose(file);
        sum += value + number("input.txt");

        file = fopen("output.txt", "w");
        fprintf(file, "%d\n", sum);
        fclose(file);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
