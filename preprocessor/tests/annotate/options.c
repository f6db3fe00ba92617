/* The options of the program, and settings of the process. */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option, sum = 0;
    while ((option = getopt(argc, argv, "ab")) != -1)
        sum += option;
    tzset();
    fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_APPEND);
    for (int i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += argv[optind][0];
    }
    printf("%d\n", sum);
    return 0;
}
