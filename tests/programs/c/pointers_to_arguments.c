/* Exercises: pointers to the arguments of the command, and into them: an argument of a procedure, a field, a variable. */
#include <stdio.h>
#include <string.h>

struct options {
    const char *name, *inside;
    int count;
};

static struct options options;

static int run(const char *name)
{
    int step, sum = 0;
#pragma cppc register(name[0], step, sum)
    for (step = 0; step < 6; step++) {
#pragma cppc checkpoint
        sum += name[0] != '\0' && strcmp(name, options.name) == 0;
        options.count += options.inside == options.name + 1;
    }
    return sum;
}

int main(int argc, char **argv)
{
    const char *last = argv[argc - 1];
    int sum;
#pragma cppc init
#pragma cppc register(options, last[0])
    options.name = last;
    options.inside = last + 1;
    sum = run(last);
    printf("%d %d %d\n", sum, options.count, strcmp(last, argv[0]) == 0);
#pragma cppc shutdown
    return 0;
}
