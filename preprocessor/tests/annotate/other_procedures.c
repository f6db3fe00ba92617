/* Static data that no procedure on the way to the checkpoint can name: another procedure registers it. */
#include <stdio.h>

static void count(int step);

int main(void)
{
    int i;

    count(0);
    for (i = 1; i < 5; i++) {
#pragma cppc checkpoint
        count(i);
    }
    return 0;
}

static double total;
static int table[4], *last = table;

static void count(int step)
{
    static int calls;

    calls++;
    total += step * calls + *last;
    last = &table[step % 4];
    *last += step;
    printf("%d %g\n", calls, total);
}
