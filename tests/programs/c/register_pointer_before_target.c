/* Exercises: pointers that are registered before the variables that they point to, used by an `execute` block that runs
 * again in a restart. */
#include "check.h"

static double table[6];
static double *first, *inner;

static void choose(void)
{
    inner = &table[2];
#pragma cppc register(inner[3])
}

int main(void)
{
    double scaled = 0, local[4] = { 1, 2, 3, 4 }, *p;
    int i;

#pragma cppc init
    first = table;
    p = &local[1];
#pragma cppc register(first[6], p[3])
    choose();
#pragma cppc register(table, local, i)
    table[2] = 5;
    /* The loop changes other elements. */
#pragma cppc allow(C0702, table, local)
#pragma cppc execute
    scaled = first[0] + p[0] + inner[0] - table[0] - local[1] - table[2];
#pragma cppc end execute
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        first[1] += i + scaled;
        p[2] += inner[0];
        inner[2] += local[3];
        show("table", i, sum_real(SUM_START, table[1] + table[4] + local[3]));
    }
#pragma cppc shutdown
    return 0;
}
