/* What the calls cost when nothing is written: nanoseconds of a checkpoint with the jump after it, and of
 * a call with its frame, a capture and a register. */

#include <cppc.h>
#include <stdio.h>
#include <time.h>

#define TURNS 20000000L

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static volatile int went;

static __attribute__((noinline)) void inner(int argument)
{
    struct { int i; } cppc;
    if (CPPC_Enter("inner", 1)) went++;
    CPPC_Block(1);
    cppc.i = argument;
    CPPC_Register_value(0, &cppc.i, CPPC_INT, "i", CPPC_AUTOMATIC);
    if (CPPC_Jump_next()) went++;
    CPPC_Leave();
}

int main(int argc, char **argv)
{
    long turn;
    int argument;
    double began, checkpoints, calls;
    if (CPPC_Enter("main", 3)) went++;
    CPPC_Init(&argc, &argv);
    if (CPPC_Jump_next()) went++;
    began = now();
    for (turn = 0; turn < TURNS; turn++) {
        if (CPPC_Do_checkpoint(2)) went++;
        if (CPPC_Jump_next()) went++;
    }
    checkpoints = (now() - began) / TURNS;
    began = now();
    for (turn = 0; turn < TURNS / 10; turn++) {
        CPPC_Call(3, "inner");
        argument = turn & 7;
        CPPC_Capture(&argument, 1, CPPC_INT, "turn & 7");
        inner(argument);
        CPPC_Return(3);
        if (CPPC_Jump_next()) went++;
    }
    calls = (now() - began) / (TURNS / 10);
    printf("%f %f\n", checkpoints, calls);
    CPPC_Shutdown();
    CPPC_Leave();
    return 0;
}
