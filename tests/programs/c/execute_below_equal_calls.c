/* Exercises: an execute block below one call that is made again and again with the same argument, while the block
 * captures something else: every run of it matters in a resume, one or two calls deep. */
#include "check.h"

static int made[4], noted[4], count = 9;

static void set(int a)
{
#pragma cppc execute capture(count, a)
    made[count % 4] = a + count;
#pragma cppc end execute
    count = count * 3 + 1;
}

static void set_below(int a)
{
#pragma cppc execute capture(a)
    noted[a % 4] = a;
#pragma cppc end execute
    set(a);
}

int main(void)
{
    int i;

#pragma cppc init
#pragma cppc register(count, i)
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        if (i % 2 == 0)
            set(5);
        else
            set_below(6);
        printf("%d %d %d %d %d %d %d\n", i, made[0], made[1], made[2], made[3], noted[2], count);
    }
#pragma cppc shutdown
    return 0;
}
