/* Exercises: a structure that is registered field by field, with padding between the fields, and pointers to the whole
 * and to elements of an array of such structures. */
#include "check.h"

struct cell { char tag; double weight; unsigned short b; int c[2]; };
static struct cell one;
static struct { float a[3]; unsigned short b; int c[2]; struct cell inner; } wide;

static void work(void)
{
    struct cell *p = &one, *q = &wide.inner;
    int i;

#pragma cppc register(*p, *q, i)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        p->b += i;
        p->weight += 0.5 * p->b;
        q->c[1] += p->tag;
        wide.a[2] += q->c[1];
        show("one", i, sum_real(SUM_START, one.weight + one.b + one.tag + one.c[0]));
        show("wide", i, sum_real(SUM_START, wide.a[2] + wide.inner.c[1] + p->b));
    }
}

int main(void)
{
#pragma cppc init
    one.tag = 3;
    wide.b = 1;
#pragma cppc register(one.tag, one.weight, one.b, one.c)
#pragma cppc register(wide.inner.tag, wide.inner.weight, wide.inner.b, wide.inner.c, wide.a)
    work();
#pragma cppc shutdown
    return 0;
}
