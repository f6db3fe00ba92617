/* Variables of outer frames of a recursive procedure, which are needed after the inner call. `early` is not.
 * reports: i, last, mine
 */
#include <stdio.h>

static long sum, visits;

static void walk(int node, int depth)
{
    int i, early;
    long mine;
    early = node;
    if (depth > 3)
        return;
    sum += early;
#pragma cppc checkpoint
    mine = ++visits;
    for (i = 0; i < 3; i++)
        walk(node * 3 + i, depth + 1);
    sum += mine;
}

static int turn(int by)
{
#pragma cppc checkpoint
    return by + 1;
}

int main(void)
{
    int last = 1, only;
#pragma cppc init
#pragma cppc register(sum, visits)
    walk(1, 0);
    last = last * 2 + turn(3);
    only = 4;
    last = turn(only) + last;
    printf("%ld %d\n", sum, last);
#pragma cppc shutdown
    return 0;
}
