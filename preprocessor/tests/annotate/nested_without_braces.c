// Statements without braces in each other: each gets its own braces, and they end at the same place. A variable that never
// changes is registered if its declaration is in the header of a loop, or declares a variable that changes.
#include <stdio.h>

static void step(int value)
{
    int limit = 3, kept = 4;
    double width = 0.25, sum = 0;
    for (int n = 0, last = 2; n < last; n++) {
        sum += width * value;
#pragma cppc checkpoint
    }
    printf("%g %d\n", sum, limit + kept);
}

int main(void)
{
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 2; k++)
            if (t != k)
                for (int m = 0; m < 2; m++)
                    step(t + k + m);
            else step(0);
    return 0;
}
