/* Exercises: inputs, read by a stream and by a descriptor: by numbers, by lines, past what was read ahead, and
 * on when the end has been met.
 * writes: files */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static void make_input(void)
{
    FILE *input = fopen("input.txt", "w");
    int i;
    if (input == NULL)
        exit(1);
    for (i = 0; i < 3000; i++)
        fprintf(input, "%d %d\n", i, i * i % 1009);
    fprintf(input, "7");
    fclose(input);
}

int main(void)
{
    FILE *input = NULL;
    int bytes = -1, i, k, c, a = 0, b = 0, rounds = 0;
    char piece[100];
    Sum sum = SUM_START;

    make_input();
#pragma cppc init
#pragma cppc execute file(input, "input.txt") file(bytes, "input.txt")
    input = fopen("input.txt", "r");
    bytes = open("input.txt", O_RDONLY);
    if (input == NULL || bytes < 0 || fgetc(input) != '0')
        exit(1);
    rewind(input);
#pragma cppc end execute
#pragma cppc register(i, sum, a, b, rounds)
    for (i = 0; !feof(input); i++) {
#pragma cppc checkpoint
        for (k = 0; k < 130 && !feof(input); k++) {
            b = 0;
            if (fscanf(input, "%d%d", &a, &b) < 1)
                break;
            sum = sum_int(sum_int(sum, a), b);
            rounds++;
        }
        if (i % 3 == 0 && (c = fgetc(input)) != EOF)
            ungetc(c, input);
        if (read(bytes, piece, sizeof piece) != (ssize_t)sizeof piece)
            exit(2);
        sum = sum_bytes(sum, piece, sizeof piece);
        printf("%d %d %016llx %ld\n", i, rounds, sum, ftell(input));
    }
    /* At the end, which a checkpoint must not forget: the loop would begin again. */
#pragma cppc register(k)
    for (k = 0; k < 3; k++) {
#pragma cppc checkpoint
        printf("%d %d %d\n", k, feof(input) != 0, rounds);
    }
    fclose(input);
    close(bytes);
#pragma cppc shutdown
    return 0;
}
