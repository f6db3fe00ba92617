/* A thread and a child process that exist at the checkpoint.
 * reports: fork, pthread_create
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *argument)
{
    return argument;
}

int main(void)
{
    int i, sum = 0, status;
    pthread_t thread;
    pid_t child;
#pragma cppc init
    pthread_create(&thread, NULL, work, NULL);
    child = fork();
    if (child == 0)
        _exit(7);
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += i;
    }
    printf("%d\n", sum);
#pragma cppc shutdown
    waitpid(-1, &status, 0);
    return 0;
}
