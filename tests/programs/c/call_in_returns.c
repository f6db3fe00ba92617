/* Exercises: calls with a checkpoint in `return` statements, several returns out of loops, a void
 * call, a `return` without a value, and values of many types. */
#include <complex.h>
#include <stdbool.h>

#include "check.h"

static int turns;

static int leaf(int x)
{
#pragma cppc checkpoint
    turns++;
    return x + 1;
}

static long plus(int x)
{
    return leaf(x) + 1;
}

static int search(int want)
{
    int k;
#pragma cppc register(k)
    for (k = 0;; k++) {
        if (k * k % 17 == want)
            return leaf(k) * 2;
        if (k > 20)
            return leaf(-k);
        if (k % 5 == 4)
            leaf(k);
    }
}

static bool is_even(int x)
{
    return leaf(x) % 2 == 1;
}

static float single(int x)
{
    return leaf(x) / 3.0f;
}

static double complex turn(double complex z)
{
    return z * leaf(1) * I;
}

static void maybe(int x)
{
    if (x < 2)
        return;
    leaf(x);
    if (x < 4)
        return;
    leaf(-x);
}

int main(void)
{
    int i;
    long sum = 0;
    double complex z = 1.0 + 0.5 * I;

#pragma cppc init
#pragma cppc register(i, turns, sum, z)
    for (i = 0; i < 5; i++) {
        sum += plus(i);
        sum += search(i * 4);
        sum += is_even(i) ? 100 : 200;
        sum += (long)(single(i) * 1000);
        z = turn(z);
        maybe(i);
        printf("%d %d %ld %.17g %.17g\n", i, turns, sum, creal(z), cimag(z));
    }
#pragma cppc shutdown
    return 0;
}
