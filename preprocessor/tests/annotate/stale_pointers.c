/* Pointers to tokens of a line that no longer exists. A restart does not need them, so they are not registered. */
#include <stdio.h>
#include <string.h>

struct parser { FILE *in; char *tokens[8]; int count; };
static struct parser parser;

static void read_line(void)
{
    char line[100];
    parser.count = 0;
    if (fgets(line, sizeof line, parser.in))
        for (char *token = strtok(line, " "); token && parser.count < 8; token = strtok(NULL, " "))
            parser.tokens[parser.count++] = token;
}

int main(void)
{
    double sum = 0;
    parser.in = fopen("input.txt", "r");
    read_line();
    for (int t = 0; t < 8; t++) {
#pragma cppc checkpoint
        sum += t * parser.count;
    }
    fclose(parser.in);
    printf("%g\n", sum);
    return 0;
}
