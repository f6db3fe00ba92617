/* Exercises: checkpoints in nested loops of all kinds, before, between and after inner loops, in
 * the same procedure; `break` and `continue` around them. */
#include "check.h"

int main(void)
{
    int i, j, k, n = 0;
    double x = 1;

#pragma cppc init
#pragma cppc register(i, j, k, n, x)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        x *= 1.5;
        j = 0;
        while (1) {
            if (++j > 3)
                break;
            if (j == i)
                continue;
#pragma cppc checkpoint
            x += j * 0.25;
            k = 4;
            do {
                if (k == j)
                    continue;
                n += k;
#pragma cppc checkpoint
                x -= n * 0.01;
            } while (--k > 2);
            printf("%d %d %d %d %.17g\n", i, j, k, n, x);
        }
#pragma cppc checkpoint
        n ^= j;
    }
    printf("%d %.17g\n", n, x);
#pragma cppc shutdown
    return 0;
}
