/* One field of the elements of an array, whose distance and padding differ between machines: declared arrays and heap
 * memory, numbers, structures, and pointers to such fields. */

#include "dying.h"
#include <stdio.h>

struct pair { char mark; long count; double x; };
struct site {
    char tag;
    long value[3];
    struct pair pair;
    long *watched;
    short scratch;
    long double exact;
};

static struct site lattice[7], grid[2][3];
static struct pair pairs[9];

int main(int argc, char **argv)
{
    struct site *opened = calloc(8, sizeof *opened);
    int turn, i;
#pragma cppc init
#pragma cppc register(turn, lattice[:].value, lattice[:].pair, lattice[:].watched, lattice[1:5].exact)
#pragma cppc register(grid[:][:].pair.count, opened[0:8].value, opened[0:8].pair.x, opened[2:3].watched, pairs[3:4])
    for (turn = 0; turn < 5; turn++) {
        /* The check does not know the positions of `i`. */
#pragma cppc allow(C0701)
#pragma cppc checkpoint
        maybe_die(turn + 1);
        for (i = 0; i < 7; i++) {
            lattice[i].scratch = (short) turn;
            lattice[i].value[turn % 3] += i * 1000003L - lattice[i].scratch;
            lattice[i].pair.mark = 'a' + turn;
            lattice[i].pair.count -= 70000L * i;
            lattice[i].pair.x += 0.125 * i;
            lattice[i].watched = i == turn ? NULL : &opened[(i + turn) % 8].value[i % 3];
        }
        for (i = 1; i < 6; i++) lattice[i].exact += i / 8.0L;
        for (i = 0; i < 6; i++) grid[i / 3][i % 3].pair.count += i - turn;
        for (i = 0; i < 8; i++) { opened[i].value[i % 3] += turn; opened[i].pair.x -= i; }
        for (i = 2; i < 5; i++) opened[i].watched = &grid[turn % 2][i % 3].pair.count;
        for (i = 3; i < 7; i++) { pairs[i].count += turn; pairs[i].mark = 'k' + i; pairs[i].x = turn; }
        if (lattice[2].watched != NULL) *lattice[2].watched += 100;
        *opened[3].watched += 7;
    }
    for (i = 0; i < 7; i++) {
        printf("%ld %ld %ld %c %ld %a %a %d\n", lattice[i].value[0], lattice[i].value[1], lattice[i].value[2], lattice[i].pair.mark,
               lattice[i].pair.count, lattice[i].pair.x, (double) lattice[i].exact, lattice[i].watched == NULL);
    }
    for (i = 0; i < 6; i++) printf("%ld ", grid[i / 3][i % 3].pair.count);
    for (i = 0; i < 8; i++) printf("%ld %ld %ld %a ", opened[i].value[0], opened[i].value[1], opened[i].value[2], opened[i].pair.x);
    for (i = 3; i < 7; i++) printf("%ld %c %a ", pairs[i].count, pairs[i].mark, pairs[i].x);
    printf("\n");
#pragma cppc shutdown
    free(opened);
    return 0;
}
