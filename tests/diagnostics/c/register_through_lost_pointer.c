/* A restart comes to a register again without what stood before it: the pointers that it follows must be there. */
#include <stdlib.h>

struct body {
    double x[3];
    struct body *next;
};

static struct body first, second, *whole;

static void move(struct body *b, int turns)
{
    struct body *own = b, *chosen, *made;
    int i;
    chosen = turns > 2 ? &first : &second;
#pragma cppc execute
    made = &second;
#pragma cppc end execute
#pragma cppc register(i, b->x, made->x)
#pragma cppc register(own->x)
//                    ~~~~~~ warning[C0444] a restart does not know where `own` points
#pragma cppc register(chosen->x)
//                    ~~~~~~~~~ warning[C0444] a restart does not know where `chosen` points
    for (i = 0; i < turns; i++) {
#pragma cppc checkpoint
        chosen->x[i % 3] += b->x[0];
    }
}

int main(int argc, char **argv)
{
    struct body *early = argc > 1 ? &first : &second, *kept, *late, *other;
    other = early;
#pragma cppc init
    whole = malloc(sizeof *whole);
    kept = malloc(2 * sizeof *kept);
    late = kept + 1;
#pragma cppc register(*whole, whole->x, kept[2], kept->x, early->x, other->next->x)
#pragma cppc register(late->next)
//                    ~~~~~~~~~~ error[C0425] `late->next` is a pointer, and its size is not known
#pragma cppc register(late->x)
//                    ~~~~~~~ warning[C0444] a restart does not know where `late` points
    move(whole, argc + (argv != NULL));
#pragma cppc shutdown
    return 0;
}
