/* Exercises: directives in branches and loops without braces: there a directive and the statement
 * after it are the body together. */
#include "check.h"

static double x = 1;

int main(void)
{
    int i, k;

#pragma cppc init
#pragma cppc register(i, k, x)
    for (i = 0; i < 6; i++)
        if (i % 3 == 0)
            x += 1;
        else if (i % 3 == 1)
#pragma cppc checkpoint
            x *= 2;
        else
#pragma cppc checkpoint
            x -= 0.25;
    printf("%.17g\n", x);

    for (i = 0; i < 3; i++)
#pragma cppc checkpoint
        x += i;
    printf("%.17g\n", x);

    k = 3;
    while (k-- > 0)
#pragma cppc checkpoint
        x *= 1.5;
    printf("%.17g %d\n", x, k);

    do
#pragma cppc checkpoint
        x -= 0.5;
    while (x > 30);
    printf("%.17g\n", x);

    if (x < 0)
#pragma cppc checkpoint
        x = 0;
    printf("end %.17g\n", x);
#pragma cppc shutdown
    return 0;
}
