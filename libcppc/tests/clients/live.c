/* An execute block or a call that is replayed after a register must not change the registered memory. An
 * execute block in a loop captures its own value each time; a block with equal captures is recorded
 * once. */

#include "client.h"

static int made[8], makings;
static double *field;
static int scratch;

static int fill(int from)
{
    int cppc_result = 0;
    int cppc_next = CPPC_Enter("fill", 2);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_2;
    case 3: goto cppc_exit;
    }
cppc_1:
    CPPC_Block(1);
    CPPC_Register(0, &scratch, 1, CPPC_INT, "scratch", CPPC_STATIC);
    JUMP;
cppc_2:
    CPPC_Execute(2);
    /* Writes to memory that is registered by the caller. */
    field[from] = -1000 - from;
    scratch = 77;
    JUMP;
    cppc_result = 5; goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return cppc_result;
}

int main(int argc, char **argv)
{
    struct { int i; int k; int capture_1; int value_1; } cppc;
    int i = 0, k = 0, j;
    int cppc_next = CPPC_Enter("main", 6);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_4;
    case 5: goto cppc_5;
    case 6: goto cppc_6;
    case 7: goto cppc_exit;
    }
    CPPC_Init(&argc, &argv);
    JUMP;
    field = malloc(4096 * sizeof *field);
    for (j = 0; j < 4096; j++) field[j] = j;
cppc_2:
    CPPC_Block(2);
    CPPC_Register_pointer(0, &field, 4096, CPPC_DOUBLE, "field", CPPC_STATIC);
    cppc.i = i;
    CPPC_Register(0, &cppc.i, 1, CPPC_INT, "i", CPPC_AUTOMATIC);
    i = cppc.i;
    cppc.k = k;
    CPPC_Register(0, &cppc.k, 1, CPPC_INT, "k", CPPC_AUTOMATIC);
    k = cppc.k;
    cppc.value_1 = 0;
    CPPC_Register(0, &cppc.value_1, 1, CPPC_INT, "value_1", CPPC_AUTOMATIC);
    JUMP;
    for (k = 0; k < 6; k++) {
cppc_3:
        cppc.k = k;
        cppc.capture_1 = k % 4;
        CPPC_Execute(3);
        CPPC_Capture(&cppc.capture_1, 1, CPPC_INT, "k % 4");
        made[cppc.capture_1] += 1 + cppc.capture_1;
        makings++;
        JUMP;
    }
cppc_4:
    if (CPPC_Call(4, "fill")) { cppc.i = i; cppc.k = k; }
    cppc.value_1 = fill(3);
    if (CPPC_Return(4)) { i = cppc.i; k = cppc.k; }
    JUMP;
    field[3] = 42;
    cppc.value_1 = 9;
    scratch = 1;
    for (i = 0; i < 3; i++) {
cppc_5:
        cppc.i = i; cppc.k = k;
        if (CPPC_Do_checkpoint(5)) { i = cppc.i; k = cppc.k; }
        else maybe_die();
        JUMP;
        field[i] += 0.5;
        scratch += i;
cppc_6:
        cppc.i = i; cppc.k = k;
        if (CPPC_Do_checkpoint(6)) { i = cppc.i; k = cppc.k; }
        else maybe_die();
        JUMP;
        field[i + 100] *= 3;
    }
    printf("%g %g %g %g %d %d %d\n", field[3], field[0], field[102], field[1000], cppc.value_1, scratch, k);
    /* Six allocations in a fresh run, four in a resumed one: their results differ, the saved values do not. */
    printf("%d\n", made[3] == 4 && (makings == 6 || makings == 4));
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return 0;
}
