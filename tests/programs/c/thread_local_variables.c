/* Exercises: thread-local variables of the thread that calls the runtime, while other threads change their own.
 * flags: -pthread */
#include "check.h"
#include <pthread.h>

struct counter {
    int calls;
    double sum;
};

_Thread_local long shared = 3;
static __thread struct counter counters[3];
static _Thread_local int *newest;

static double step(int i)
{
    static _Thread_local double last = 0.5;
#pragma cppc register(last)
    struct counter *mine = &counters[i % 3];
    last = last * 1.5 + i;
    shared = shared * 5 % 1013;
    mine->calls++;
    mine->sum += last;
    newest = &mine->calls;
    return last;
}

static void *work(void *sum)
{
    shared = 7;
    counters[1].calls += 100;
    *(long *) sum += shared + counters[1].calls;
    return NULL;
}

int main(void)
{
    double last = 0;
    long sum = 0;
    int i;
#pragma cppc init
#pragma cppc register(i, sum, last, shared, counters, newest[1])
    for (i = 0; i < 9; i++) {
        pthread_t thread;
        last = step(i);
#pragma cppc checkpoint
        if (pthread_create(&thread, NULL, work, &sum) == 0)
            pthread_join(thread, NULL);
        printf("%d %ld %ld %g %d %d\n", i, sum, shared, counters[i % 3].sum + last, counters[1].calls, *newest);
    }
#pragma cppc shutdown
    return 0;
}
