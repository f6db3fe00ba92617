/* Exercises: registers of parts of variables end with the scopes of the variables; `*p` and `p[n]` are one item. */
#include <stdlib.h>
#include "check.h"

struct pair { double a, b; };

static double total;

static void parts(int t)
{
    {
        struct pair j = { t, 2 }, rows[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
        int k = t % 3;
#pragma cppc register(j.a, rows[k].b)
        j.a += rows[k].b;
#pragma cppc checkpoint
        total += j.a + rows[k].b;
    }
    {
        long q[12] = { 7, 8 };
#pragma cppc register(q)
        q[2] = t;
#pragma cppc checkpoint
        total += q[1] + q[2];
    }
#pragma cppc checkpoint
}

static void grown(int t)
{
    double *p = calloc(1, sizeof *p);
#pragma cppc register(*p)
    *p = t;
#pragma cppc checkpoint
    p = realloc(p, 4 * sizeof *p);
    p[1] = p[2] = p[3] = 1;
#pragma cppc register(p[4])
#pragma cppc checkpoint
    total += p[0] + p[3];
#pragma cppc unregister(p)
    free(p);
#pragma cppc checkpoint
}

int main(void)
{
    int t;
#pragma cppc init
#pragma cppc register(t, total)
    for (t = 0; t < 4; t++) {
        parts(t);
        grown(t);
        show("step", t, sum_real(SUM_START, total));
    }
#pragma cppc shutdown
    return 0;
}
