/* A handler of a signal may run at any time. Procedures at exit read what they need.
   reports: got, last, total */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static volatile sig_atomic_t got, total, unused;
static int last;
static void on_usr1(int number)
{
    (void)number;
    got++;
    unused = 1;
}
static void on_usr2(int number)
{
    (void)number;
    total++;
}
static void at_end(void)
{
    printf("%d\n", last);
    unused = 0;
}
int main(void)
{
    static struct sigaction action;
    int step;
    signal(SIGUSR1, on_usr1);
    atexit(at_end);
    action.sa_handler = on_usr2;
#pragma cppc init
#pragma cppc execute
    sigaction(SIGUSR2, &action, NULL);
#pragma cppc end execute
#pragma cppc register(step)
    for (step = 0; step < 5; step++) {
        last = step * step;
#pragma cppc checkpoint
        if (step == 4)
            printf("%d %d\n", (int)got, (int)total);
    }
#pragma cppc shutdown
    return 0;
}
