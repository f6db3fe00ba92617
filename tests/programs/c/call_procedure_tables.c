/* Exercises: calls through tables and structures of procedures whose subscripts and choices have effects: what the
 * procedure is found by is noted, not its address. */
#include "check.h"

static int turn, picks;

static int up(int x)
{
#pragma cppc register(x)
#pragma cppc checkpoint
    printf("up %d\n", x);
    return x + 1;
}

static int down(int x)
{
#pragma cppc register(x)
#pragma cppc checkpoint
    printf("down %d\n", x);
    return 2 * x;
}

struct job {
    int (*run)(int);
    int weight;
};

static int (*const table[2])(int) = {up, down};
static const struct job jobs[3] = {{down, 2}, {up, 1}, {down, 4}};

static int pick(void) { return picks++ % 3; }

static int twice(int (*f)(int), int x) { return f(f(x)); }

int main(void)
{
    int i, s = 1;
#pragma cppc init
#pragma cppc register(i, s, turn, picks)
    for (i = 0; i < 4; i++) {
        s = table[turn++ % 2](s);
        s = (*table[(turn += 3) % 2])(s) % 97;
        s += jobs[pick()].run(s) * jobs[i % 3].weight;
        s = (turn++ & 1 ? up : down)(s);
        s = table[turn++ & 1](up(s)) + (pick() ? table[0] : table[1])(2);
        s = twice(table[picks++ % 2], s) % 1009;
        printf("%d %d %d %d\n", i, s, turn, picks);
    }
#pragma cppc shutdown
    return 0;
}
