/* Exercises: the program's own labels and gotos: back to a checkpoint, out of loops, over blocks,
 * labels right before directives and labels whose names look generated. */
#include "check.h"

int main(void)
{
    int i = 0, j, tries = 0;
    double x = 2;

#pragma cppc init
#pragma cppc register(i, j, tries, x)
again:
#pragma cppc checkpoint
    x = x * 1.25 + i;
    if (++i < 3)
        goto again;

    for (j = 0; j < 10; j++) {
        if (j == 5 && tries < 2)
            goto retry;
        if (j == 8)
            goto out;
#pragma cppc checkpoint
        x += j;
        continue;
    retry:
        tries++;
        j = 1;
    cppc_1:
#pragma cppc checkpoint
        x -= tries;
        if (x > 40) {
            x /= 2;
            goto cppc_1;
        }
    }
out:
    printf("%d %d %d %.17g\n", i, j, tries, x);
    if (x > 0)
        goto cppc_exit;
#pragma cppc checkpoint
    x = 1000;
cppc_exit:
#pragma cppc checkpoint
    printf("%.17g\n", x);
    goto cppc_jump;
cppc_jump:
    x += 1;
#pragma cppc checkpoint
    printf("%.17g\n", x);
#pragma cppc shutdown
    return 0;
}
