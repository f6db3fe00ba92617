/* A procedure that calls itself, with a checkpoint at every depth: names recur, frame by frame. */

#include "client.h"

static long walk(int depth, long seed)
{
    struct { int depth; long seed; long sum; int turn; long value_1; int argument_1; long argument_2; } cppc;
    long cppc_result = 0;
    long sum = 0;
    int turn = 0;
    int cppc_next = CPPC_Enter("walk", 3);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_exit;
    }
cppc_1:
    CPPC_Block(1);
    cppc.depth = depth;
    CPPC_Register(0, &cppc.depth, 1, CPPC_INT, "depth", CPPC_AUTOMATIC);
    depth = cppc.depth;
    cppc.seed = seed;
    CPPC_Register(0, &cppc.seed, 1, CPPC_LONG, "seed", CPPC_AUTOMATIC);
    seed = cppc.seed;
    cppc.sum = sum;
    CPPC_Register(0, &cppc.sum, 1, CPPC_LONG, "sum", CPPC_AUTOMATIC);
    sum = cppc.sum;
    cppc.turn = turn;
    CPPC_Register(0, &cppc.turn, 1, CPPC_INT, "turn", CPPC_AUTOMATIC);
    turn = cppc.turn;
    JUMP;
    for (turn = 0; turn < 2; turn++) {
cppc_2:
        cppc.depth = depth; cppc.seed = seed; cppc.sum = sum; cppc.turn = turn;
        if (CPPC_Do_checkpoint(2)) { depth = cppc.depth; seed = cppc.seed; sum = cppc.sum; turn = cppc.turn; }
        else maybe_die();
        JUMP;
        sum = sum * 31 + seed + turn;
        if (depth > 0) {
cppc_3:
            if (CPPC_Call(3, "walk")) {
                cppc.depth = depth; cppc.seed = seed; cppc.sum = sum; cppc.turn = turn;
                cppc.argument_1 = depth - 1;
                cppc.argument_2 = seed * 7 + turn;
            } else { depth = cppc.depth; seed = cppc.seed; sum = cppc.sum; turn = cppc.turn; }
            CPPC_Capture(&cppc.argument_1, 1, CPPC_INT, "depth - 1");
            CPPC_Capture(&cppc.argument_2, 1, CPPC_LONG, "seed * 7 + turn");
            cppc.value_1 = walk(cppc.argument_1, cppc.argument_2);
            if (CPPC_Return(3)) { depth = cppc.depth; seed = cppc.seed; sum = cppc.sum; turn = cppc.turn; }
            JUMP;
            sum += cppc.value_1;
        }
    }
    cppc_result = sum; goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return cppc_result;
}

int main(int argc, char **argv)
{
    struct { long value_1; } cppc;
    int cppc_next = CPPC_Enter("main", 2);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_exit;
    }
    CPPC_Init(&argc, &argv);
    JUMP;
cppc_2:
    CPPC_Call(2, "walk");
    cppc.value_1 = walk(3, 5);
    CPPC_Return(2);
    JUMP;
    printf("%ld\n", cppc.value_1);
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return 0;
}
