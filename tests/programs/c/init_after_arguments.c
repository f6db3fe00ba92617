/* Exercises: `init` after the program has read its own arguments: the runtime's are out of `argv`
 * only from `init` on, so the program looks for its own by name.
 *
 * arguments: --size 5 --turns=6 rest
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"

int main(int argc, char *argv[])
{
    int size = 0, turns = 0, i, k;
    const char *rest = "";
    double *u;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--size") == 0 && i + 1 < argc)
            size = atoi(argv[++i]);
        else if (strncmp(argv[i], "--turns=", 8) == 0)
            turns = atoi(argv[i] + 8);
        else if (strncmp(argv[i], "--cppc-", 7) != 0)
            rest = argv[i];
    }
#pragma cppc init
    u = malloc((size_t)size * sizeof *u);
    for (k = 0; k < size; k++)
        u[k] = k;
#pragma cppc register(i, u[size])
    for (i = 0; i < turns; i++) {
#pragma cppc checkpoint
        for (k = 0; k < size; k++)
            u[k] = u[k] * 0.5 + u[(k + 1) % size];
        printf("%d %s %d %.17g\n", i, rest, argc, u[i % size]);
    }
    free(u);
#pragma cppc shutdown
    return 0;
}
