/* Exercises: variables of a `for` header that are registered in its body, with calls that lead to checkpoints in the
 * condition, in the step and in both; inner variables of the same names; unbraced bodies. */
#include "check.h"

static int passes;

static int step(int x)
{
#pragma cppc register(x)
#pragma cppc checkpoint
    passes++;
    return x + passes % 2;
}

int main(void)
{
    int s = 1;
#pragma cppc init
#pragma cppc register(s, passes)
    for (int i = 0; i < 3; s += step(i), i++) {
#pragma cppc register(i)
        s = s * 3 + i;
        printf("step %d %d\n", i, s);
    }
    for (int i = 0, j = 5; step(i) < 4 && j > 0; i++) {
#pragma cppc register(i, j)
        int k = i;
#pragma cppc register(k)
        {
            int i = k * 2;
#pragma cppc register(i)
#pragma cppc checkpoint
            s += i;
        }
        j -= k % 2;
        printf("condition %d %d %d\n", i, j, s);
    }
    for (int i = 0; step(i) < 3; i += step(i) > i ? 1 : 2) {
#pragma cppc register(i)
        double i = s * 0.5;
#pragma cppc register(i)
#pragma cppc checkpoint
        s += (int)i;
        if (s % 2)
            continue;
        printf("both %d %g\n", s, i);
    }
    for (long n = 3; n > 0; n -= 1 + 0 * step((int)n))
#pragma cppc register(n)
        s += (int)n;
    for (int a = 1; a < 3; a += step(a) / a)
        for (int b = a; b < 3; s += step(b), b++) {
#pragma cppc register(a, b)
            s = s * 5 % 1013 + a * b;
            printf("nested %d %d %d\n", a, b, s);
        }
    printf("%d %d\n", s, passes);
#pragma cppc shutdown
    return 0;
}
