/* Blocks that add to a state: with a capture, and outside of loops. Blocks that change it to the same again.
 * reports: nothing
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void bye(void) {}

static void enter(const char *name)
{
#pragma cppc execute
    if (chdir(name))
        abort();
#pragma cppc end execute
}

int main(void)
{
    int i;
#pragma cppc init
    enter("a");
    enter("b");
#pragma cppc register(i)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
#pragma cppc execute capture(i)
        atexit(bye);
        chdir("..");
#pragma cppc end execute
#pragma cppc execute
        chdir("/tmp");
        umask(022);
#pragma cppc end execute
    }
#pragma cppc shutdown
    return 0;
}
