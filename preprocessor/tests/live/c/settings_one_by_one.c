/* A block changes one setting of the process. That does not restore another one.
 * reports: umask
 */
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    int i, sum = 0;
#pragma cppc init
    umask(022);
#pragma cppc execute
    setpriority(PRIO_PROCESS, 0, 3);
#pragma cppc end execute
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += i;
    }
#pragma cppc shutdown
    return sum;
}
