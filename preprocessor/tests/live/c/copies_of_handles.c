/* Handles that are copied outside of execute blocks. A restart does not copy them again.
 * reports: copy, number */
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>

static FILE *log_file;
static int descriptor;

static void step(FILE *file, int out, int k)
{
#pragma cppc checkpoint
    fprintf(file, "%d\n", k);
    write(out, &k, sizeof k);
}

int main(void)
{
    FILE *copy;
    int number, k;
#pragma cppc init
#pragma cppc execute file(log_file, "log.txt") file(descriptor, "data.bin")
    log_file = fopen("log.txt", "w");
    descriptor = open("data.bin", O_WRONLY | O_CREAT, 0644);
#pragma cppc end execute
    copy = log_file;
    number = descriptor;
#pragma cppc register(k)
    for (k = 0; k < 3; k++) {
        step(log_file, descriptor, k);
        step(copy, number, k);
    }
#pragma cppc shutdown
    return 0;
}
