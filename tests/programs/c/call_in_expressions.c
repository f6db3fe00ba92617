/* Exercises: calls of procedures with a checkpoint inside expressions: sums, nested calls, logical
 * operators, the conditional operator, comparisons, casts, `sizeof` (where nothing is called). */
#include "check.h"

static int calls;

static int f(int x)
{
    calls++;
#pragma cppc checkpoint
    return x * 3 + 1;
}

static int g(int x)
{
    int k, sum = 0;
#pragma cppc register(k, sum)
    for (k = 0; k < 2; k++) {
#pragma cppc checkpoint
        sum += x + k;
    }
    return sum - 2;
}

int main(void)
{
    int i, x, y, z, w;

#pragma cppc init
#pragma cppc register(i, x, y, z, w, calls)
    x = y = z = w = 1;
    for (i = 0; i < 3; i++) {
        x = f(i) + g(y);
        y = f(g(x % 11));
        z = g(f(f(y % 7) % 5) % 3) - x;
        w = i > 0 && f(x % 3) > 2;
        w += i == 0 || g(w) > 1 || f(w) > 0;
        w += i % 2 ? f(1) : g(2);
        w -= (i % 2 ? g(3) : 10) + (i % 3 ? 20 : f(4));
        z += (int)sizeof(f(1)) + -f(z % 13) * (2 + g(1)) + !g(i);
        z ^= (f(1) < g(2)) + (int)(double)f(0);
        printf("%d %d %d %d %d %d\n", i, x, y, z, w, calls);
    }
#pragma cppc shutdown
    return 0;
}
