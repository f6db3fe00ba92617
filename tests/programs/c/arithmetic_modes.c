/* Exercises: modes of arithmetic with reals that the program sets after `init`, and that a restart must set again: the
   rounding of all real types, and the exceptions that have occurred. */
#include <fenv.h>
#include <stdio.h>

static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};

static void sum(int n, double *d, float *f, long double *l) {
    int i;
    for (i = 1; i <= n; i++) {
        volatile double x = i, y = 3 * i + 1;
        *d += x / y;
        *f += (float)x / (float)y;
        *l += (long double)x / y;
    }
}

int main(void) {
    int i;
    double d = 0;
    float f = 0;
    long double l = 0;
#pragma cppc init
#pragma cppc register(i, d, f, l)
    for (i = 0; i < 8; i++) {
        /* The mode lasts for two checkpoints. */
        if (i % 2 == 0)
            fesetround(modes[i / 2]);
        sum(50, &d, &f, &l);
        if (i == 3)
            feraiseexcept(FE_DIVBYZERO);
#pragma cppc checkpoint
        sum(50, &d, &f, &l);
        printf("%d %a %a %La %d\n", i, d, (double)f, l, fetestexcept(FE_DIVBYZERO) != 0);
    }
#pragma cppc shutdown
    return 0;
}
