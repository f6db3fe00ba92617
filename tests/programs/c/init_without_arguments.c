/* Exercises: `init` in a procedure that knows nothing of the command line, in another file than
 * `main` could be; what `main` was given is left as it was, but for settings. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static double *field;
static int size;

static void begin(int wanted)
{
#pragma cppc init
    size = wanted;
    field = calloc((size_t)size, sizeof *field);
#pragma cppc register(size, field[size])
}

static void end(void)
{
    free(field);
#pragma cppc shutdown
}

int main(int argc, char *argv[])
{
    int i, k;

    begin(8);
#pragma cppc register(i)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        for (k = 1; k < argc; k++)
            printf("%s ", argv[k]);
        field[i] = i * 1.5 + (i > 0 ? field[i - 1] : argc) + (double)strlen(argv[argc - 1]) * 0;
        show("field", i, sum_reals(SUM_START, field, (size_t)size));
    }
    end();
    return argv[argc] != NULL;
}
