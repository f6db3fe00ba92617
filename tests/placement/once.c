/*
 * passes: 8
 * The outer loops run once.
 */
#include <stdio.h>

static double x[100];

int main(void)
{
    for (int run = 0; run < 1; run++) {
        for (int i = 0; i < 100; i++)
            x[i] = i;
        do {
            int step = 0;
            for (step = 0; step < 8; step++) {
                for (int k = 0; k < 40; k++)
                    for (int i = 1; i < 100; i++)
                        x[i] = 0.5 * (x[i] + x[i - 1]);
                printf("%d %.17g\n", step, x[99]);
                fflush(stdout);
            }
        } while (0);
    }
    return 0;
}
