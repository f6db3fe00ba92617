/* Procedures at exit, signals, and files of standard streams: changed after `init`, and in a block.
 * reports: atexit, dup2, sigaction
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void bye(void)
{
    puts("bye");
}

int main(void)
{
    int i;
    double x = 0.5;
    static struct sigaction action;
    action.sa_handler = SIG_IGN;
#pragma cppc init
    atexit(bye);
    sigaction(SIGUSR1, &action, NULL);
    dup2(1, 9);
#pragma cppc register(i, x)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        x = x * 0.5;
        printf("%f\n", x);
    }
#pragma cppc shutdown
    return 0;
}
