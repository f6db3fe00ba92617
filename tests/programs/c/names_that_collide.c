/* Exercises: the program's own names that look like generated ones, as variables, labels, fields,
 * types, functions and macros. */
#include "check.h"

#define cppc_3 77

typedef struct cppc {
    int cppc_next;
    double cppc;
} cppc_saved;

static int cppc_result(int value_1)
{
    int argument_1 = value_1 + 1;
#pragma cppc register(argument_1)
#pragma cppc checkpoint
    return argument_1 * 2;
}

static double cppc(cppc_saved *cppc, int cppc_next)
{
    int i, capture_1 = 2;
#pragma cppc register(i, capture_1, cppc->cppc, cppc->cppc_next)
    for (i = 0; i < 3; i++) {
        cppc->cppc_next = cppc_result(i) + cppc_result(cppc_next);
#pragma cppc checkpoint
        cppc->cppc += cppc->cppc_next * capture_1 + cppc_3;
        capture_1++;
    }
    return cppc->cppc;
}

int main(void)
{
    cppc_saved saved = {1, 0.5};
    double cppc_value = 0;
    int cppc_next;

#pragma cppc init
#pragma cppc register(cppc_next, cppc_value, saved)
    for (cppc_next = 0; cppc_next < 2; cppc_next++) {
    cppc_2:
        cppc_value += cppc(&saved, cppc_next);
        printf("%d %.17g %d\n", cppc_next, cppc_value, saved.cppc_next);
        if (cppc_value < 0)
            goto cppc_2;
    }
#pragma cppc shutdown
    return 0;
}
