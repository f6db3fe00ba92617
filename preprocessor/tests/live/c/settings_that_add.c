/* A block without captures in a loop adds to a state several times (reported), or changes it to the same again.
 * reports: atexit, chdir
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void bye(void) {}

static void up(void)
{
#pragma cppc execute
    chdir("..");
#pragma cppc end execute
}

int main(void)
{
    int i;
#pragma cppc init
#pragma cppc register(i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        if (i < 3) {
#pragma cppc execute
            atexit(bye);
#pragma cppc end execute
            up();
        }
    }
#pragma cppc shutdown
    return 0;
}
