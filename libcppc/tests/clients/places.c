/* One procedure called from several places, in a branch and in a loop; it registers globals, which stay
 * live, and makes state that cannot be saved, which an execute block re-creates. CPPC_Init is called in
 * a separate procedure. */

#include "client.h"

static double *table[3];
static int table_size[3];
static FILE *opened[3];
static int total;

static void setup(int *argc, char ***argv)
{
    int cppc_next = CPPC_Enter("setup", 1);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_exit;
    }
    CPPC_Identify("places");
    CPPC_Init(argc, argv);
    JUMP;
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
}

static void make(int which, int size)
{
    struct { int which; int size; int capture_1; } cppc;
    char name[16];
    int i;
    int cppc_next = CPPC_Enter("make", 2);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_2;
    case 3: goto cppc_exit;
    }
cppc_1:
    cppc.capture_1 = which;
    CPPC_Execute(1);
    CPPC_Capture(&cppc.capture_1, 1, CPPC_INT, "which");
    which = cppc.capture_1;
    opened[which] = tmpfile();
    fprintf(opened[which], "%d", which);
    if ((cppc_next = CPPC_Jump_next()) != 0) { which = cppc.capture_1; goto cppc_jump; }
    sprintf(name, "table[%d]", which);
    table[which] = malloc(size * sizeof(double));
    table_size[which] = size;
    for (i = 0; i < size; i++) table[which][i] = which + 1.0 / (i + 1);
cppc_2:
    CPPC_Block(2);
    /* The parameter is captured by the caller's call; the name follows from it. */
    sprintf(name, "table[%d]", which);
    if (CPPC_Wants(name)) {
        CPPC_Register_pointer(0, &table[which], size, CPPC_DOUBLE, name, CPPC_STATIC);
    }
    CPPC_Register(0, table_size, 3, CPPC_INT, "table_size", CPPC_STATIC);
    JUMP;
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
}

static int step(int at)
{
    struct { int at; } cppc;
    int cppc_result = 0;
    int cppc_next = CPPC_Enter("step", 2);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_2;
    case 3: goto cppc_exit;
    }
cppc_1:
    CPPC_Block(1);
    cppc.at = at;
    CPPC_Register(0, &cppc.at, 1, CPPC_INT, "at", CPPC_AUTOMATIC);
    at = cppc.at;
    JUMP;
cppc_2:
    cppc.at = at;
    if (CPPC_Do_checkpoint(2)) at = cppc.at;
    else maybe_die();
    JUMP;
    total += (int) (1000 * table[at % 3][at % table_size[at % 3]]);
    cppc_result = at + total; goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return cppc_result;
}

int main(int argc, char **argv)
{
    struct { int i; int sum; int value; int argument_1; int argument_2; } cppc;
    int i = 0, sum = 0, found = -1, next_jump;
    int cppc_next = CPPC_Enter("main", 7);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_4;
    case 5: goto cppc_5;
    case 6: goto cppc_6;
    case 7: goto cppc_7;
    case 8: goto cppc_exit;
    }
    CPPC_Call(1, "setup");
    setup(&argc, &argv);
    CPPC_Return(1);
    JUMP;
cppc_2:
    CPPC_Block(2);
    cppc.i = i;
    CPPC_Register(0, &cppc.i, 1, CPPC_INT, "i", CPPC_AUTOMATIC);
    i = cppc.i;
    cppc.sum = sum;
    CPPC_Register(0, &cppc.sum, 1, CPPC_INT, "sum", CPPC_AUTOMATIC);
    sum = cppc.sum;
    CPPC_Register(0, &total, 1, CPPC_INT, "total", CPPC_STATIC);
    JUMP;
    for (i = 0; i < 2; i++) {
cppc_3:
        if (CPPC_Call(3, "make")) {
            cppc.i = i; cppc.sum = sum;
            cppc.argument_1 = i; cppc.argument_2 = 4 + i;
        } else { i = cppc.i; sum = cppc.sum; }
        CPPC_Capture(&cppc.argument_1, 1, CPPC_INT, "i");
        CPPC_Capture(&cppc.argument_2, 1, CPPC_INT, "4 + i");
        make(cppc.argument_1, cppc.argument_2);
        if (CPPC_Return(3)) { i = cppc.i; sum = cppc.sum; }
        JUMP;
    }
    if (argc > 5) {
cppc_4:
        if (CPPC_Call(4, "make")) { cppc.i = i; cppc.sum = sum; }
        make(2, 100);
        if (CPPC_Return(4)) { i = cppc.i; sum = cppc.sum; }
        JUMP;
    } else {
cppc_5:
        if (CPPC_Call(5, "make")) { cppc.i = i; cppc.sum = sum; }
        make(2, 3);
        if (CPPC_Return(5)) { i = cppc.i; sum = cppc.sum; }
        JUMP;
    }
    for (i = 0; i < 4; i++) {
cppc_6:
        if (CPPC_Call(6, "step")) { cppc.i = i; cppc.sum = sum; cppc.argument_1 = i; }
        else { i = cppc.i; sum = cppc.sum; }
        CPPC_Capture(&cppc.argument_1, 1, CPPC_INT, "i");
        cppc.value = step(cppc.argument_1);
        if (CPPC_Return(6)) { i = cppc.i; sum = cppc.sum; }
        JUMP;
        sum += cppc.value;
cppc_7:
        if (CPPC_Call(7, "step")) { cppc.i = i; cppc.sum = sum; cppc.argument_1 = sum; }
        else { i = cppc.i; sum = cppc.sum; }
        CPPC_Capture(&cppc.argument_1, 1, CPPC_INT, "sum");
        cppc.value = step(cppc.argument_1);
        if (CPPC_Return(7)) { i = cppc.i; sum = cppc.sum; }
        JUMP;
        sum ^= cppc.value;
    }
    for (i = 0; i < 3; i++) {
        rewind(opened[i]);
        if (fscanf(opened[i], "%d", &found) != 1 || found != i) printf("file %d holds %d\n", i, found);
    }
    printf("%d %d %d %d\n", sum, total, table_size[2], argc);
    (void) next_jump;
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return 0;
}
