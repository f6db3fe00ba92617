/* Exercises: execute blocks in a loop with a call that counts each time: procedures at the end of the process, and the
 * priority. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static void bye(void)
{
    puts("bye");
}

int main(void)
{
    Sum sum = SUM_START;
    int i;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        if (i % 2 == 0) {
#pragma cppc execute capture(i)
            atexit(bye);
#pragma cppc end execute
        }
#pragma cppc execute capture(i)
        nice(1);
#pragma cppc end execute
        sum = sum_int(sum, getpriority(PRIO_PROCESS, 0));
        printf("%d %016llx\n", i, sum);
    }
#pragma cppc shutdown
    return 0;
}
