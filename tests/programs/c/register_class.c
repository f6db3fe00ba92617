/* Exercises: variables of storage class `register`, registered where an inner variable has their names; names of types
 * and labels as names of variables; `_Alignas`, `volatile`, `auto`. */
#include "check.h"

typedef double T;

static int below(register int n, register double x)
{
    register int r = n, q = 2;
#pragma cppc register(n, x, r, q)
#pragma cppc checkpoint
    {
        char r = 'a', x[2] = {1, 2};
        long n = q;
#pragma cppc register(r, x, n)
#pragma cppc checkpoint
        q += r % 7 + x[1] + (int)n;
    }
    r += q + (int)(x * n);
    return r;
}

int main(void)
{
    int i, s = 0;
#pragma cppc init
#pragma cppc register(i, s)
    for (i = 0; i < 3; i++) {
        register double x = i * 0.5;
        auto volatile int seen = i;
        _Alignas(32) float wide = i + 0.25f;
#pragma cppc register(x, seen, wide)
#pragma cppc checkpoint
        {
            double x[3] = {1, 2, i};
            T T = x[1] * i;
            _Bool b = i & 1;
#pragma cppc register(x, T, b)
#pragma cppc checkpoint
            s += (int)x[2] + (int)T + b;
            goto T;
        }
    T:
        s += (int)(x * 4) + seen + (int)(wide * 4) + below(i, x);
        printf("%d %d\n", i, s);
    }
#pragma cppc shutdown
    return 0;
}
