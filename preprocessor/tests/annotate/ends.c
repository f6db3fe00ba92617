/* The program ends well in several places. Where it ends with an error, its state is kept. */
#include <stdlib.h>

static double x = 1;

static void finish(int is_good)
{
    if (is_good)
        exit(0);
    exit(2);
}

int main(void)
{
    int i;

#pragma cppc checkpoint
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        x = x * 1.5 + i;
        if (x > 1e6)
            return 0;
        if (x < 0)
            return 1;
        if (x == 0.25)
            finish(i);
    }
    return 0;
}
