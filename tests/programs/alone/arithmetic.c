/* Arithmetic of which the compiler's and the mathematical library are in charge, in a rounding mode that they heed. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    int mode, turn;
    for (mode = 0; mode < 4; mode++) {
        volatile double x = 0.1, y = 2.7;
        volatile _Float128 q = 0.1f128, r = 2.7f128;
        fesetround(modes[mode]);
        for (turn = 0; turn < 20; turn++) {
            x = fma(x, y, -0.7 / (turn + 1));
            y = cbrt(y) + sqrt(fabs(x)) + fmod(y, 0.3) + rint(x);
            q = q * r - 0.7f128 / (turn + 1);
            r = r + q / 3;
        }
        printf("%a %a %a %a\n", x, y, (double)q, (double)((r - (double)r) * 0x1p60f128));
    }
    return 0;
}
