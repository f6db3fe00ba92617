/* At the end of a replayed block, a captured variable gets the value that it had before. Assignments in the block to other
 * variables stay.
 * reports: count */
#include <stdio.h>

static int count = 3, made, kept;

int main(void)
{
    int i;
#pragma cppc init
#pragma cppc register(i)
#pragma cppc execute capture(count)
    made = count;
    count = 7;
    kept = 7;
#pragma cppc end execute
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        printf("%d %d %d\n", made, count, kept);
    }
#pragma cppc shutdown
    return 0;
}
