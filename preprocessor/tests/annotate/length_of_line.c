/* The result of `getline` is the length of a line. The memory belongs to the pointer that is an argument. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *in;
    ssize_t length;
    char *line = NULL;
    size_t size = 0;
    long sum = 0;

    in = fopen("numbers", "r");
    while ((length = getline(&line, &size, in)) > 0) {
#pragma cppc checkpoint
        for (char *at = line; *at; at++)
            sum += *at;
    }
    printf("%ld\n", sum);
    free(line);
    fclose(in);
    return 0;
}
