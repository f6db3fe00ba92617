/* Exercises: arguments that the caller changes while the callee has its checkpoint, arguments that
 * are expressions of variables which are not registered, parameters that the callee changes and
 * registers, scalars of all kinds, arguments that are never read again. */
#include <stdbool.h>

#include "check.h"

static double shared;

static double work(int n, double x, const char *label, bool flag, char tag, unsigned long big,
                   float low, double *out)
{
    int start = n;
#pragma cppc register(n, start)
    while (n > 0) {
        n -= 2;
#pragma cppc checkpoint
        shared += n * x + big % 7 + low;
        *out += flag ? tag : -tag;
    }
    printf("%s %d %d %.17g %c %.17g\n", label, start, n, x, tag, *out);
    return shared;
}

int main(void)
{
    double out = 0, last;
    int i;

#pragma cppc init
#pragma cppc register(i, shared, out)
    for (i = 1; i < 4; i++) {
        double x = 0.1 * i;
        int half = i / 2;
        last = work(i + 2, x * x, "squares", half, (char)('a' + i), 1ul << (20 + half), 0.5f * i,
                    &out);
        printf("%d %.17g\n", i, last);
    }
#pragma cppc shutdown
    return 0;
}
