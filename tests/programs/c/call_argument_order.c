/* Exercises: arguments that are evaluated in the order of the compiler, beside a call with a checkpoint. The translated program
 * must print what the original prints. */
#include "check.h"

static int count;

static int turn(int by)
{
    count += by;
#pragma cppc checkpoint
    return count;
}

static int both(int first, int second)
{
    return 100 * first + second;
}

int main(void)
{
    int i;
#pragma cppc init
#pragma cppc register(count, i)
    for (i = 0; i < 4; i++) {
        printf("%d %d\n", turn(i), count);
        printf("%d %d\n", both(count, turn(1)), both(turn(2), count));
    }
#pragma cppc shutdown
    return 0;
}
