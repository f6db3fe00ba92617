/* Registers that end with their frame, also those that were not registered as automatic; frames that a jump
 * leaves; a variable-length array of a caller, which stays live. */

#include "client.h"
#include <setjmp.h>

static jmp_buf back;
static volatile int sink;

/* Not inlined, so that its variables have their own stack frame and end with it. */
static __attribute__((noinline)) void visit(int depth)
{
    volatile double local[64];
    int cppc_next = CPPC_Enter("visit", 1);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_exit;
    }
    local[0] = depth;
cppc_1:
    CPPC_Block(1);
    CPPC_Register(0, (void *) local, 64, CPPC_DOUBLE, "local", CPPC_STATIC);
    CPPC_Register(0, (void *) &local[3], 2, CPPC_DOUBLE, "automatic", CPPC_AUTOMATIC);
    JUMP;
    sink += (int) local[0];
    if (depth == 3) longjmp(back, 1);
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
}

int main(int argc, char **argv)
{
    struct { int i; int n; } cppc;
    int i = 0;
    int n = 100;
    double array[n];
    static double checksum;
    int cppc_next = CPPC_Enter("main", 5);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_4;
    case 6: goto cppc_exit;
    }
    CPPC_Init(&argc, &argv);
    JUMP;
    for (i = 0; i < n; i++) array[i] = i;
cppc_2:
    CPPC_Block(2);
    CPPC_Register(0, array, n, CPPC_DOUBLE, "array", CPPC_STATIC);
    CPPC_Register(0, &checksum, 1, CPPC_DOUBLE, "checksum", CPPC_STATIC);
    cppc.i = i;
    CPPC_Register(0, &cppc.i, 1, CPPC_INT, "i", CPPC_AUTOMATIC);
    i = cppc.i;
    JUMP;
    for (i = 1; i < 5; i++) {
        if (setjmp(back) == 0) {
            if (argc < 10) {
cppc_3:
                CPPC_Call(3, "visit");
                visit(i);
                CPPC_Return(3);
                JUMP;
            }
        }
cppc_4:
        cppc.i = i;
        if (CPPC_Do_checkpoint(4)) i = cppc.i;
        else maybe_die();
        JUMP;
        checksum += array[i] + array[99];
        array[i] *= 2;
    }
    printf("%g %g %g\n", checksum, array[3], array[99]);
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return 0;
}
