/* Prints a line in each step, and flushes nothing.
 *
 *   CLOSE=output     standard output is closed in step 4
 *   DIE=N            it dies at step N, after the checkpoint */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int i, die = getenv("DIE") != NULL ? atoi(getenv("DIE")) : -1;
    double sum = 0;

#pragma cppc init
#pragma cppc register(sum, i)
    for (i = 0; i < 10; i++) {
        sum += i * 0.5;
        printf("step %d: %g\n", i, sum);
#pragma cppc checkpoint
        if (i == die)
            kill(getpid(), SIGKILL);
        if (i == 4 && getenv("CLOSE") != NULL)
            fclose(stdout);
    }
    printf("end %g\n", sum);
#pragma cppc shutdown
    return 0;
}
