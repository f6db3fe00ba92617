/* An array of one pointer, and one of variable length, are registered as arrays: `all[0]` would be no elements of it. */
#include <stdio.h>

struct part {
    void (*step)(struct part *, int);
    double value;
};

static struct part *all[1];

static void add(struct part *part, int step)
{
#pragma cppc checkpoint
    part->value += step;
}

int main(int argc, char **argv)
{
    struct part local = { add, 1 };
    struct part *some[argc + 1];
    int step;

    all[0] = &local;
    some[argc] = &local;
    for (step = 0; step < 3; step++) {
        all[0]->step(all[0], step);
        some[argc]->value *= 2;
    }
    printf("%g %s\n", local.value, argv[0]);
    return 0;
}
