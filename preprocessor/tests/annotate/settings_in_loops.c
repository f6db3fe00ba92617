/* Settings in a loop that add to a state: the blocks capture the counter. Without a counter there is no block. A thread gets
 * no block. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void bye(void) {}
static void *work(void *argument) { return argument; }

int main(void)
{
    int step, total = 0;
    pthread_t thread;
    while (total < 3) {
        nice(1);
        total++;
    }
    pthread_create(&thread, NULL, work, NULL);
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        if (step < 3) {
            atexit(bye);
            chdir("..");
            chdir("/tmp");
        }
        total += step;
    }
    pthread_join(thread, NULL);
    return total;
}
