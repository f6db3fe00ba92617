/* Memory that nobody but this kind of machine understands. */

#include "dying.h"
#include <stdio.h>

union number { long whole; double real; unsigned char bytes[8]; };

static union number number;

int main(int argc, char **argv)
{
    int turn;
#pragma cppc init
#pragma cppc register(turn, number)
    for (turn = 0; turn < 2; turn++) {
#pragma cppc checkpoint
        maybe_die(turn + 1);
        number.real += 1.5;
    }
    printf("%a\n", number.real);
#pragma cppc shutdown
    return 0;
}
