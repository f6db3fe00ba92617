/* Exercises: a recursive procedure with a checkpoint, and two procedures that call each other: variables of outer frames that
 * are needed after the inner calls; an expression that reads a variable before it calls; a returned comma expression. */
#include "check.h"

static long sum, visits;

static void walk(int node, int depth)
{
    int i;
    long mine;
    if (depth > 3)
        return;
#pragma cppc register(i, mine)
    if (++visits % 5 == 0) {
#pragma cppc checkpoint
        sum++;
    }
    mine = visits * 7;
    for (i = 0; i < 3; i++)
        walk(node * 3 + i, depth + 1);
    sum = sum * 3 % 10007 + node * depth + mine;
}

static int other(int n);

static int one(int n)
{
    int keep = n * 3 + 1;
#pragma cppc register(keep)
    if (n > 0)
        keep += other(n - 1) - other(n - 2);
    return keep += n, keep % 1000;
}

static int other(int n)
{
    if (n < 0)
        return 1;
#pragma cppc checkpoint
    return one(n - 1) + n;
}

static int turn(int by)
{
#pragma cppc checkpoint
    return by % 7 + 1;
}

int main(void)
{
    int s = 1, k;
#pragma cppc init
#pragma cppc register(sum, visits, s, k)
    walk(1, 0);
    printf("%ld %ld\n", sum, visits);
    for (k = 0; k < 4; k++) {
        s = s * 3 + turn(s + k);
        s = s - turn(k) * (s / 2 - turn(s));
        printf("%d %d\n", s, one(k));
    }
#pragma cppc shutdown
    return 0;
}
