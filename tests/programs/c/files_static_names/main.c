/* Exercises: `static` variables and procedures of one name in three files, all registered, all with
 * checkpoints, called from a common loop. */
#include "check.h"
#include "parts.h"

static int count = 1;
static double state[3];

static double step(int i)
{
    count += 2;
    state[i % 3] += count;
#pragma cppc register(count, state)
#pragma cppc checkpoint
    return state[i % 3];
}

int main(void)
{
    double sum = 0;
    int i;

#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 4; i++) {
        sum += step(i);
        sum += left_part(i);
        sum += right_part(i);
        printf("%d %d %.17g\n", i, count, sum);
    }
#pragma cppc shutdown
    return 0;
}
