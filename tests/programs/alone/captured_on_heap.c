/* An execute block captures a pointer to a name on the heap. The capture keeps the address of the name, and a restart does not
 * have it.
 * writes: files */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void row(int number)
{
    char *name = malloc(16);
    FILE *rows;
    strcpy(name, "rows.txt");
#pragma cppc execute capture(name) file(rows, name)
    rows = fopen(name, "a");
#pragma cppc end execute
    free(name);
    fprintf(rows, "row %d\n", number);
    fclose(rows);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 6, step;
#pragma cppc init
#pragma cppc register(step)
    for (step = 0; step < steps; step++) {
#pragma cppc checkpoint
        row(step);
    }
    printf("%d rows\n", step);
#pragma cppc shutdown
    return 0;
}
