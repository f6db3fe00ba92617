/* Settings of the process: simple calls get blocks. A condition, and a call with a structure, do not. */
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void bye(void) {}

int main(void)
{
    int i, total = 0;
    struct sigaction action = {0};
#pragma cppc init
    atexit(bye);
    setlocale(LC_ALL, "C");
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
