/* Exercises: returned calls that a restart repeats for an execute block below them: their arguments are structures, unions,
 * fields, elements and what pointers lead to, of frames that have ended; equal arguments above different runs of a
 * block.
 *
 * warns: checkpoint */
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct part {
    int v[3];
    double weight;
};

struct chain {
    struct chain *next;
    struct part part;
};

union either {
    int i[2];
    double d;
};

static int table[8], count;

static int leaf(struct part a)
{
#pragma cppc execute capture(a)
    table[a.v[0] % 8] = a.v[1] + (int)a.weight;
#pragma cppc end execute
    return a.v[0];
}

static int number(int at, union either e, const int b)
{
#pragma cppc execute capture(at, e)
    table[at % 8] = e.i[0] * 3 + b;
#pragma cppc end execute
    return e.i[1];
}

static void scaled(int n)
{
    const int twice = n * 2;
    const double parts[2] = {n * 0.25, n};
#pragma cppc execute
    table[n % 8] ^= twice + (int)parts[1];
#pragma cppc end execute
}

static void set(int a)
{
#pragma cppc execute capture(count, a)
    table[count % 8] += a * (count + 1);
#pragma cppc end execute
}

static int middle(int n)
{
    struct part x = {{n, 2, 3}, n * 0.5};
    struct part list[2] = {{{n + 1, 5, 6}, 1.5}, {{n + 2, 8, 9}, 2.5}};
    struct part *q = &x, **qq = &q;
    struct chain second = {NULL, {{n + 3, 1, 1}, 3}}, first = {&second, x};
    union either e = {{n, n + 1}}, *pe = &e;
    int sum = 0;
#pragma cppc register(x, list, sum)
#pragma cppc register(*q)
    sum += leaf(*q);
    sum += leaf(**qq) + leaf(q[0]);
    sum += leaf(list[n % 2]) + leaf(first.next->part);
    sum += number(q->v[0] + 4, *pe, pe->i[1]);
    sum += number((*qq)->v[1] + n, e, list[1].v[2]);
    return sum;
}

static void dirty(void)
{
    volatile unsigned char stack[4000];
    for (int k = 0; k < 4000; k++)
        stack[k] = 0x11;
    count = stack[7] - 0x11;
}

int main(void)
{
    int i, k, s = 0;
    dirty();
#pragma cppc init
#pragma cppc register(i, s, count)
    for (i = 0; i < 4; i++) {
        s += middle(i + 3);
        set(5);
        count++;
        set(5);
        scaled(count + 2);
#pragma cppc checkpoint
        for (k = 0; k < 8; k++)
            s = (s * 31 + table[k]) % 100003;
        printf("%d %d\n", i, s);
    }
#pragma cppc shutdown
    return 0;
}
