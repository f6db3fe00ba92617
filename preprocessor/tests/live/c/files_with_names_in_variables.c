/* The name of a file is a literal in one place, and in a variable in another.
 * reports: fopen
 * all: fopen, value
 */
#include <stdio.h>

static const char *name = "values.txt";

static int load(const char *file, const char *mode)
{
    int value = 0;
    FILE *from = fopen(file, mode);
    if (fscanf(from, "%d", &value) != 1)
        value = 0;
    fclose(from);
    return value;
}

int main(int count, char **arguments)
{
    int i, sum = 0, value;
    const char *local = "local.txt";
    const char *either = "a.txt";
    FILE *file;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += load("./values.txt", "r");
        file = fopen(name, "w");
        fprintf(file, "%d\n", sum);
        fclose(file);

        file = fopen(local, "r");
        if (fscanf(file, "%d", &value) != 1)
            value = 0;
        fclose(file);
        sum += value;
        file = fopen("local.txt", "w");
        fprintf(file, "%d\n", sum);
        fclose(file);

        if (count > 2) {
            sum += load(arguments[1], "r");
            file = fopen(arguments[2], "w");
            fprintf(file, "%d\n", sum);
            fclose(file);
        }

        either = i % 2 == 0 ? "a.txt" : "b.txt";
        sum += load(either, "r");
        file = fopen("c.txt", "w");
        fprintf(file, "%d\n", sum);
        fclose(file);
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
