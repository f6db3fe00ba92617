/* A procedure before the definition of a structure gets no register of it: its elements cannot be described there. */
#include <stdio.h>
#include <stdlib.h>

struct part;
static struct part *new_part(void);
static void step_part(struct part *, int);

struct holder {
    struct part *part;
};

static void prepare(struct holder *holder)
{
    holder->part = new_part();
}

struct part {
    int count;
    double values[4];
};

static struct part *new_part(void)
{
    struct part *part = calloc(1, sizeof *part);
    part->count = 4;
    return part;
}

static void step_part(struct part *part, int step)
{
    part->values[step % part->count] += step;
}

int main(void)
{
    struct holder holder;

    prepare(&holder);
    for (int step = 0; step < 6; step++) {
#pragma cppc checkpoint
        step_part(holder.part, step);
    }
    printf("%g\n", holder.part->values[1]);
    return 0;
}
