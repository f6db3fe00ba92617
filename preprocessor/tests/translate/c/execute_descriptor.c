/* A file descriptor that an execute block opens. */
#include <fcntl.h>
#include <unistd.h>

void keep(void)
{
    int log;

#pragma cppc execute file(log, "log")
    log = open("log", O_WRONLY | O_CREAT, 0644);
#pragma cppc end execute
#pragma cppc checkpoint
    close(log);
}
