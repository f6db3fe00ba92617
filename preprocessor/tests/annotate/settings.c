/* Settings of the process: simple calls get blocks. A condition, a statement with other effects, and a call with a structure, do
 * not. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void bye(void) {}

int main(void)
{
    int i, total = 0;
    struct sigaction action = {0};
#pragma cppc init
    atexit(bye);
    setlocale(LC_ALL, "C");
    (void) umask(022);
    printf("%s\n", setlocale(LC_NUMERIC, "C"));
    if (chdir("/tmp") != 0)
        return 1;
    action.sa_handler = SIG_IGN;
    sigaction(SIGUSR1, &action, NULL);
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        total += i;
    }
    return total;
}
