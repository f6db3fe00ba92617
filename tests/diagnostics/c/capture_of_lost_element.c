/* Elements that a block captures through pointers which a restart has not set when it repeats the block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int kept[4];

static void row(int k, int *given)
{
    char *name = malloc(16);
    int *own = kept, *held;
    FILE *f;
    snprintf(name, 16, "row.%d", k);
    held = malloc(4 * sizeof *held);
#pragma cppc register(held[4])
//                    ~~~~~~~ warning[C0506] `held` is registered, but no checkpoint is reached before its register ends
#pragma cppc execute capture(name[2]) file(f, name)
//                           ~~~~~~~ error[C0448] `name[2]` has no known address when a restart executes the block
    f = fopen(name, "a");
#pragma cppc end execute
#pragma cppc execute file(f, name)
//                           ~~~~ warning[C0442] `name` may have another value in a restart
    f = fopen(name, "a");
#pragma cppc end execute
#pragma cppc execute capture(own, own[1], given[1], held[1])
    kept[0] = own[1] + given[1] + held[1];
#pragma cppc end execute
    fclose(f);
    free(name);
}

int main(void)
{
    int step;
#pragma cppc init
#pragma cppc register(step, kept)
    for (step = 0; step < 6; step++) {
#pragma cppc checkpoint
        row(step, kept);
    }
#pragma cppc shutdown
    return 0;
}
