/* Much memory of which little changes, and much that is zero: state files that lean on earlier ones, pieces that are
 * not written at all, packed ones. */

#include "dying.h"
#include <stdio.h>

static long counters[200000];
static int rare[600000];
static short noise[90000];

int main(int argc, char **argv)
{
    double *field, sum = 0;
    unsigned long hash = 1;
    long total = 0;
    int turn, i;
#pragma cppc init
    field = calloc(400000, sizeof *field);
    for (i = 0; i < 400000; i += 1000) field[i] = i > 200000 ? i / 7.0 : 0;
    for (i = 0; i < 200000; i++) counters[i] = i % 1000 - 500;
    for (i = 0; i < 90000; i++) { hash = hash * 1103515245UL + 12345UL & 0x7fffffffUL; noise[i] = (short) (hash >> 8); }
#pragma cppc register(turn, field[400000], counters, rare, noise)
    for (turn = 0; turn < 5; turn++) {
#pragma cppc checkpoint
        maybe_die(turn + 1);
        field[200000 + turn * 40000] += turn + 0.5;
        field[turn] = turn % 2 ? 0 : 0.25;
        counters[turn * 7] *= 3;
        rare[300000] = turn == 2 ? 0 : turn + 1;
        noise[turn] = noise[89999 - turn];
    }
    for (i = 0; i < 400000; i++) sum = sum * 0.5 + field[i] + (field[i] != 0) * i;
    for (i = 0; i < 200000; i++) total = (total * 31 + counters[i]) % 1000003;
    for (i = 0; i < 600000; i++) total = (total * 31 + rare[i] + noise[i % 90000]) % 1000003;
    printf("%a %ld %d\n", sum, total, rare[300000]);
    free(field);
#pragma cppc shutdown
    return 0;
}
