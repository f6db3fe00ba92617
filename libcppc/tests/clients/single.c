/* One pointer was set before CPPC_Init, and it is registered: a restart leaves no other pointer behind. */

#include "client.h"

int main(int argc, char **argv)
{
    int step, i;
    double *values = malloc(1000 * sizeof *values), sum = 0;
    for (i = 0; i < 1000; i++) values[i] = i;
    CPPC_Init(&argc, &argv);
    CPPC_Register(0, &step, 1, CPPC_INT, "step", CPPC_STATIC);
    CPPC_Register(0, &sum, 1, CPPC_DOUBLE, "sum", CPPC_STATIC);
    CPPC_Register_pointer(0, &values, 1000, CPPC_DOUBLE, "values", CPPC_STATIC);
    if (!CPPC_Restarting()) step = 0;
    for (; step < 4; step++) {
        CPPC_Do_checkpoint(1);
        maybe_die();
        for (i = 0; i < 1000; i++) sum += values[i] * step;
    }
    printf("%g\n", sum);
    CPPC_Shutdown();
    return 0;
}
