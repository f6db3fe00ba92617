/* Exercises: calls with a checkpoint in initialisers: among other declarators, of `const` variables,
 * in braces, of arrays and structures, of a `for` declaration; in declarations after statements. */
#include "check.h"

typedef struct {
    int low, high;
    double scale;
} Range;

static int f(int x)
{
    int y = x + 1;
#pragma cppc register(y)
#pragma cppc checkpoint
    y *= 2;
    return y;
}

static double half(double x)
{
#pragma cppc checkpoint
    return x / 2;
}

static double once(int i)
{
    int a = 1, b = f(i + a), c = b + 1;
#pragma cppc register(b, c)
    const double k = half(c);
    double kept = k * 2;
#pragma cppc register(kept)
    int table[4] = {b, f(b), 7, f(c) + b};
#pragma cppc register(table)
    Range range = {.high = f(3), .scale = half(kept) + 1};
#pragma cppc register(range)
    printf("once %d %d %d %d\n", b, c, table[1], table[3]);
    double sum = half(1.0) + kept;
#pragma cppc register(sum)
    for (int n = f(0), m = 2; n < 6; n += m) {
#pragma cppc register(n, m)
        sum += half(n) * range.scale;
        printf("n %d %.17g\n", n, sum);
    }
    return sum + table[0] + table[3] + range.low + range.high;
}

int main(void)
{
    int i;
    double total = 0;

#pragma cppc init
#pragma cppc register(i, total)
    for (i = 0; i < 2; i++) {
        total += once(i);
        printf("%d %.17g\n", i, total);
    }
#pragma cppc shutdown
    return 0;
}
