/* A procedure that a library function calls: checkpoints in it are skipped, which is reported once with its
 * name. Checkpoints before and after it are not skipped. */

#include "client.h"

static int seen;

static int compare(const void *left, const void *right)
{
    int cppc_result = 0;
    int cppc_next = CPPC_Enter("compare", 1);
cppc_jump:
    switch (cppc_next) {
    case 1: goto cppc_1;
    case 2: goto cppc_exit;
    }
cppc_1:
    if (CPPC_Do_checkpoint(1)) { }
    JUMP;
    seen++;
    cppc_result = *(const int *) left - *(const int *) right; goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return cppc_result;
}

int main(int argc, char **argv)
{
    static int values[5];
    int i;
    int cppc_next = CPPC_Enter("main", 4);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_4;
    case 5: goto cppc_exit;
    }
    CPPC_Init(&argc, &argv);
    JUMP;
    for (i = 0; i < 5; i++) values[i] = (3 * i) % 5;
cppc_2:
    CPPC_Block(2);
    CPPC_Register(0, values, 5, CPPC_INT, "values", CPPC_STATIC);
    CPPC_Register(0, &seen, 1, CPPC_INT, "seen", CPPC_STATIC);
    JUMP;
cppc_3:
    if (!CPPC_Do_checkpoint(3)) maybe_die();
    JUMP;
    qsort(values, 5, sizeof(int), compare);
cppc_4:
    if (!CPPC_Do_checkpoint(4)) maybe_die();
    JUMP;
    printf("%d %d %d\n", values[0], values[4], seen > 0);
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return 0;
}
