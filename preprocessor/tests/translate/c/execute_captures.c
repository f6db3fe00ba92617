/* An execute block runs again in a restart, with the captured value of the first run. */
#include <stdlib.h>

static double *table;

void prepare(int n)
{
#pragma cppc execute capture(n)
    table = malloc(n * sizeof *table);
#pragma cppc end execute
#pragma cppc register(table[n])
#pragma cppc checkpoint
}
