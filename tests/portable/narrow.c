/* A value of which only machines with a wide `long` are capable. */

#include "dying.h"
#include <stdio.h>

struct record { int id; long places[3]; };

static struct record records[4];
static long total;

int main(int argc, char **argv)
{
    int turn, wide = sizeof(long) > 4;
#pragma cppc init
#pragma cppc register(turn, total, records)
    for (turn = 0; turn < 2; turn++) {
        if (turn == 1 && wide) records[2].places[1] = (long) 5000000000LL;
#pragma cppc checkpoint
        maybe_die(turn + 1);
        total += turn;
    }
    printf("%ld\n", total);
#pragma cppc shutdown
    return 0;
}
