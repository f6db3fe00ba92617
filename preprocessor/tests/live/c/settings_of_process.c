/* Settings of the process: changed after `init` (reported), in a block, and before `init`.
 * reports: chdir, setenv
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void enter(const char *name)
{
    if (chdir(name))
        exit(1);
}

int main(void)
{
    int i;
    double x = 0.5;
    umask(022);
#pragma cppc init
#pragma cppc execute
    setlocale(LC_NUMERIC, "C");
    signal(SIGUSR1, SIG_IGN);
#pragma cppc end execute
    setenv("PRECISION", "high", 1);
    enter("/tmp");
#pragma cppc register(i, x)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        x = x * 0.5;
        printf("%f\n", x);
    }
#pragma cppc shutdown
    return 0;
}
