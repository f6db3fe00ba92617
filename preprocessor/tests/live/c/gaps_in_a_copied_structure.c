/* Each field is registered. The copy of the structure does not need the bytes between them.
 * reports: nothing */
#include <stdio.h>

struct part {
    double value;
    int count;
    long double last;
    char end;
};

static struct part all, other;

int main(int argc, char **argv)
{
    int i;
#pragma cppc init
#pragma cppc register(i, all.value, all.count, all.last, all.end)
    (void)argv;
    all.count = argc;
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        other = all;
        all = other;
        all.value += other.count;
    }
#pragma cppc shutdown
    printf("%g\n", all.value);
    return 0;
}
