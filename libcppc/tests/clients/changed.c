/* Without an argument, a program that is killed and resumed; with one, the same program with a change that
 * its author might have made since. */

#include "client.h"

static const char *how = "";
static int is(const char *what) { return strcmp(how, what) == 0; }

static int data[10];
static int x;

static void work(void)
{
    int cppc_next = CPPC_Enter(is("procedure") ? "other" : "work", 2);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_2;
    case 3: goto cppc_exit;
    }
cppc_1:
    CPPC_Block(1);
    if (!is("missing")) CPPC_Register(0, &x, 1, CPPC_INT, "x", CPPC_STATIC);
    JUMP;
    x = 7;
cppc_2:
    if (!CPPC_Do_checkpoint(2)) maybe_die();
    JUMP;
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
}

int main(int argc, char **argv)
{
    int cppc_next = 0;
    how = argc > 1 ? argv[1] : "";
    if (!is("init")) cppc_next = CPPC_Enter("main", 3);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_exit;
    }
    CPPC_Init(&argc, &argv);
    if (is("early")) return CPPC_Shutdown();
    JUMP;
    data[7] = 49;
cppc_2:
    CPPC_Block(is("block") ? 9 : 2);
    CPPC_Register(0, data, is("small") ? 5 : 10, is("type") ? CPPC_FLOAT : CPPC_INT, "data", CPPC_STATIC);
    JUMP;
cppc_3:
    CPPC_Call(3, "work");
    work();
    CPPC_Return(3);
    JUMP;
    printf("%d %d\n", x, data[7]);
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    if (!is("init")) CPPC_Leave();
    return 0;
}
