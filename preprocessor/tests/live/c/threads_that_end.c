/* Threads and child processes that end before the checkpoint.
 * reports: nothing
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *argument)
{
    return argument;
}

static void run(void)
{
    pthread_t threads[4];
    int i, status;
    for (i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    if (fork() == 0)
        _exit(0);
    wait(&status);
}

int main(void)
{
    int i, sum = 0;
#pragma cppc init
    run();
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        run();
        sum += i;
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
