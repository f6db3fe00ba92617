/* Exercises: a procedure with static variables that only other threads call, before and after the checkpoints of a restart.
 * flags: -pthread */
#include "check.h"
#include <pthread.h>

static void step(long *sum)
{
    static long count = 5, table[4];
#pragma cppc register(count, table)
    count = count * 3 % 1009;
    table[count % 4] += count;
    *sum += table[0] - table[3];
}

static void *work(void *sum)
{
    step(sum);
    return NULL;
}

int main(void)
{
    long sum = 0;
    int i, k;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 8; i++) {
#pragma cppc checkpoint
        for (k = 0; i % 3 != 1 && k < 3; k++) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, work, &sum) == 0)
                pthread_join(thread, NULL);
        }
        printf("%d %ld\n", i, sum);
    }
#pragma cppc shutdown
    return 0;
}
