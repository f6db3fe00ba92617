/* More settings of the process: the time zone, the flags of descriptors, the priority. Calls that only ask change nothing.
 * reports: nice, tzset
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    int i, sum = 0;
#pragma cppc init
    tzset();
    sum += nice(1);
    sum += fcntl(1, F_GETFL);
    prctl(PR_SET_NAME, "solver");
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += i;
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
