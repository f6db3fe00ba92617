/* Blocks without captures in a loop. A restart runs the last run of each again, which is enough if it sets all that the
 * earlier ones have set.
 * reports: at
 */
#include <stdio.h>

static int table[8], all[8], last;

int main(void)
{
    int i, k, at = 0, sum = 0;
#pragma cppc init
#pragma cppc register(i, at, sum)
    for (i = 0; i < 6; i++) {
        at = (at + 3) % 8;
#pragma cppc execute
        table[at % 8] = 1;
#pragma cppc end execute
#pragma cppc execute
        for (k = 0; k < 8; k++)
            all[k] = sum % 2;
        last = i + 1;
#pragma cppc end execute
#pragma cppc checkpoint
        for (k = 0; k < 8; k++)
            sum += table[k] + all[k];
        printf("%d %d\n", sum, last);
    }
#pragma cppc shutdown
    return 0;
}
