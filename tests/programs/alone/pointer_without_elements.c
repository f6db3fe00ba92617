/* A pointer to an argument of the program is passed to a procedure that registers it without elements. A restart jumps over the
 * assignment, so it could not pass the pointer again: nothing is written. */
#include <stdio.h>
#include <string.h>

static void run(const char *name)
{
    int step;
    size_t sum = 0;
#pragma cppc register(name[0], step, sum)
    for (step = 0; step < 4; step++) {
#pragma cppc checkpoint
        sum += strlen(name) > 0;
    }
    printf("%zu\n", sum);
}

int main(int argc, char **argv)
{
    const char *name;

#pragma cppc init
    name = argv[argc - 1];
    run(name);
#pragma cppc shutdown
    return 0;
}
