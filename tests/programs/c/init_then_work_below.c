/* Exercises: a procedure that calls `init` and then the work itself, so that the checkpoint lies
 * below the frame of `init`, which lies below `main`. */
#include "check.h"

static double total;

static void work(int turns)
{
    int i;
#pragma cppc register(i, total)
    for (i = 0; i < turns; i++) {
#pragma cppc checkpoint
        total = total * 1.5 + i;
        printf("%d %.17g\n", i, total);
    }
}

static int run(int turns)
{
    int more = turns + 2;
#pragma cppc init
    work(turns);
    work(more);
#pragma cppc shutdown
    return more;
}

int main(void)
{
    int more = run(3);
    printf("end %d %.17g\n", more, total);
    return 0;
}
