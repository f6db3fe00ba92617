/* Exercises: descriptors that a restart opens with other numbers, because a file is closed before the next one is opened: as
 * arguments of calls on the way to a checkpoint, also of a parameter, and as captured values.
 * writes: files */
#include "check.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void line(int file, int number)
{
    char text[20];
    sprintf(text, "line %d\n", number);
    if (write(file, text, strlen(text)) < 0)
        perror("write");
}

static void run(int first, long second)
{
    int k;
#pragma cppc register(k)
    for (k = 1; k <= 5; k++) {
#pragma cppc allow(C0713)
#pragma cppc checkpoint
        line(first, k);
        line((int)second, 10 * k);
    }
}

static void pass_on(int one, long another)
{
    run(one, another);
}

int main(void)
{
    int in, out, more;
    char text[5];
#pragma cppc init
#pragma cppc execute file(in, "numbers_in.txt")
    in = open("numbers_in.txt", O_RDWR | O_CREAT, 0644);
#pragma cppc end execute
    line(in, 0);
    if (lseek(in, 0, SEEK_SET) != 0 || read(in, text, 4) != 4)
        return 1;
    close(in);
#pragma cppc execute file(out, "numbers_out.txt")
    out = open("numbers_out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
#pragma cppc end execute
#pragma cppc execute file(more, "numbers_more.txt")
    more = open("numbers_more.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
#pragma cppc end execute
#pragma cppc register(text)
    pass_on(out, more);
    close(out);
    close(more);
    printf("%.4s\n", text);
#pragma cppc shutdown
    return 0;
}
