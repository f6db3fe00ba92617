/* Exercises: a procedure with static variables that only other threads call, before and after the checkpoints of a restart.
 * flags: -pthread */
#include "check.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
    pthread_mutex_lock(&lock);
    step(sum);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    long sum = 0;
    int i, k;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 8; i++) {
        pthread_t threads[3];
#pragma cppc checkpoint
        for (k = 0; i % 3 != 1 && k < 3; k++)
            pthread_create(&threads[k], NULL, work, &sum);
        for (k = 0; i % 3 != 1 && k < 3; k++)
            pthread_join(threads[k], NULL);
        printf("%d %ld\n", i, sum);
    }
#pragma cppc shutdown
    return 0;
}
