/* The first iteration passes the checkpoint before the register. `part`, `early` and `once` are registered before it.
 * reports: late, list, total
 * all: late, list, once, total */
#include <stdio.h>
#include <stdlib.h>

static int total, once;

static void add(int number)
{
#pragma cppc checkpoint
#pragma cppc register(total)
    total += number;
}

int main(int argc, char **argv)
{
    int i, late, early[3];
    double *part, *list;
#pragma cppc init
#pragma cppc register(i)
    (void)argv;
    late = argc;
    once = argc;
    total = argc;
    part = calloc(8, sizeof *part);
    list = calloc(8, sizeof *list);
    for (i = 0; i < 3; i++) {
        early[i] = argc;
#pragma cppc register(part[8], early)
    }
    for (i = 0; i < 5; i++) {
        if (i == 0) {
#pragma cppc register(once)
            once++;
        }
#pragma cppc checkpoint
#pragma cppc register(late, list[8])
        late++;
        list[i] += part[i]++ + once;
        add(i);
    }
#pragma cppc shutdown
    printf("%d %d %d %g\n", late, total, early[2], list[3]);
    return 0;
}
