/* Exercises: checkpoints in recursion (a tree walk whose frames hold registers of their own), and
 * in mutual recursion, called within expressions. */
#include "check.h"

static long visited;

static long explore(int depth, int path)
{
    long sum = path;
    int way;
#pragma cppc register(sum, way)
    for (way = 0; way < 2 && depth > 0; way++) {
        sum = sum * 3 + explore(depth - 1, path * 2 + way);
        if (way == 0 && depth == 2) {
#pragma cppc checkpoint
            sum += 7;
        }
    }
    visited++;
    if (depth == 0 && path % 3 == 1) {
#pragma cppc checkpoint
        sum += visited;
    }
    return sum % 10007;
}

static int odd(int n);

static int even(int n)
{
    if (n % 4 == 0) {
#pragma cppc checkpoint
        visited += n;
    }
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(int n)
{
    return n != 0 && even(n - 1);
}

int main(void)
{
    int i;
    long total = 0;

#pragma cppc init
#pragma cppc register(i, total, visited)
    for (i = 0; i < 2; i++) {
        total += explore(3, i + 1);
        total += even(9 + i) * 1000 + odd(5);
        printf("%d %ld %ld\n", i, total, visited);
    }
#pragma cppc shutdown
    return 0;
}
