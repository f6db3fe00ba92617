/* No restart replays the first block, because no checkpoint follows it. The second block runs again before each
 * checkpoint, so its variables have the values of its last run.
 * reports: nothing */
#include <stdio.h>

static FILE *log;
static double factor;

static void end(int count)
{
    int width = count + 1;
#pragma cppc execute
    log = fopen("log.txt", width > 3 ? "w" : "a");
#pragma cppc end execute
    width = 0;
    fprintf(log, "%d\n", width);
}

int main(void)
{
    int step, half;
#pragma cppc init
#pragma cppc register(step, half)
    for (step = 0; step < 3; step++) {
        half = step / 2;
#pragma cppc execute
        factor = 1.0 + half;
#pragma cppc end execute
#pragma cppc checkpoint
        printf("%g\n", factor);
    }
    end(step);
#pragma cppc shutdown
    return 0;
}
