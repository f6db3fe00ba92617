/* The example of the contract: a procedure with a loop, a checkpoint and a call within an expression. */

#include "client.h"

static double norm(double *u, int n)
{
    struct { double *u; int n; int i; double s; } cppc;
    double cppc_result = 0;
    double s = 0;
    int i = 0;
    int cppc_next = CPPC_Enter("norm", 2);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_2;
    case 3: goto cppc_exit;
    }
cppc_1:
    CPPC_Block(1);
    cppc.n = n;
    CPPC_Register(0, &cppc.n, 1, CPPC_INT, "n", CPPC_AUTOMATIC);
    n = cppc.n;
    cppc.i = i;
    CPPC_Register(0, &cppc.i, 1, CPPC_INT, "i", CPPC_AUTOMATIC);
    i = cppc.i;
    cppc.s = s;
    CPPC_Register(0, &cppc.s, 1, CPPC_DOUBLE, "s", CPPC_AUTOMATIC);
    s = cppc.s;
    cppc.u = u;
    CPPC_Register_pointer(0, &cppc.u, n, CPPC_DOUBLE, "u", CPPC_AUTOMATIC | CPPC_PARAMETER);
    u = cppc.u;
    JUMP;

    for (i = 0; i < n; i++) {
        if (i % 2 == 0) {
cppc_2:
            cppc.n = n; cppc.i = i; cppc.u = u; cppc.s = s;
            if (CPPC_Do_checkpoint(2)) { n = cppc.n; i = cppc.i; u = cppc.u; s = cppc.s; }
            else maybe_die();
            JUMP;
        }
        s += u[i] * u[i];
    }
    cppc_result = sqrt(s); goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return cppc_result;
}

static double solve(double *u, int n)
{
    struct { double *u; int n; int i; double r; double value_1; int argument_2; } cppc;
    double cppc_result = 0;
    double r = 0;
    int i = 0;
    int cppc_next = CPPC_Enter("solve", 3);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_exit;
    }
cppc_1:
    CPPC_Block(1);
    cppc.n = n;
    CPPC_Register(0, &cppc.n, 1, CPPC_INT, "n", CPPC_AUTOMATIC);
    n = cppc.n;
    cppc.i = i;
    CPPC_Register(0, &cppc.i, 1, CPPC_INT, "i", CPPC_AUTOMATIC);
    i = cppc.i;
    cppc.r = r;
    CPPC_Register(0, &cppc.r, 1, CPPC_DOUBLE, "r", CPPC_AUTOMATIC);
    r = cppc.r;
    cppc.u = u;
    CPPC_Register_pointer(0, &cppc.u, n, CPPC_DOUBLE, "u", CPPC_AUTOMATIC | CPPC_PARAMETER);
    u = cppc.u;
    JUMP;

    for (i = 0; i < n; i++) {
cppc_2:
        cppc.n = n; cppc.i = i; cppc.u = u; cppc.r = r;
        if (CPPC_Do_checkpoint(2)) { n = cppc.n; i = cppc.i; u = cppc.u; r = cppc.r; }
        else maybe_die();
        JUMP;

        u[i] += r;
cppc_3:
        if (CPPC_Call(3, "norm")) {
            cppc.n = n; cppc.i = i; cppc.u = u; cppc.r = r;
            cppc.argument_2 = n - 1;
        } else { n = cppc.n; i = cppc.i; u = cppc.u; r = cppc.r; }
        CPPC_Capture(&cppc.argument_2, 1, CPPC_INT, "n - 1");
        cppc.value_1 = norm(u, cppc.argument_2);
        if (CPPC_Return(3)) { n = cppc.n; i = cppc.i; u = cppc.u; r = cppc.r; }
        JUMP;
        r = cppc.value_1 + 1;
    }
    cppc_result = r; goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return cppc_result;
}

int main(int argc, char **argv)
{
    struct { double *u; double *middle; double value_1; int argument_2; } cppc;
    double *u = NULL, *middle = NULL;
    double r;
    int i, n = 7;
    int cppc_result = 0;
    int cppc_next = CPPC_Enter("main", 3);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_exit;
    }
    CPPC_Identify("frames-1");
    CPPC_Init(&argc, &argv);
    JUMP;
    u = malloc(n * sizeof *u);
    for (i = 0; i < n; i++) u[i] = 1.0 / (i + 1);
    middle = u + 3;
cppc_2:
    CPPC_Block(2);
    cppc.u = u;
    CPPC_Register_pointer(0, &cppc.u, n, CPPC_DOUBLE, "u", CPPC_AUTOMATIC);
    u = cppc.u;
    cppc.middle = middle;
    CPPC_Register_pointer(0, &cppc.middle, 2, CPPC_DOUBLE, "middle", CPPC_AUTOMATIC);
    middle = cppc.middle;
    JUMP;
cppc_3:
    if (CPPC_Call(3, "solve")) {
        cppc.u = u; cppc.middle = middle;
        cppc.argument_2 = n;
    } else { u = cppc.u; middle = cppc.middle; }
    CPPC_Capture(&cppc.argument_2, 1, CPPC_INT, "n");
    cppc.value_1 = solve(u, cppc.argument_2);
    if (CPPC_Return(3)) { u = cppc.u; middle = cppc.middle; }
    JUMP;
    r = cppc.value_1;
    printf("%a %a %d %d\n", r, middle[1], middle == u + 3, argc);
    for (i = 0; i < n; i++) printf("%a\n", u[i]);
    free(u);
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return cppc_result;
}
