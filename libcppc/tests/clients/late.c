/* CPPC_Init comes after memory was allocated and pointers to it were set. The first argument selects the pointers to
 * register: none, the rows, all, or none with the pointers
 * set again. With "table", the rows are in a variable, of which a part is registered before the memory. */

#include "client.h"

static double *shared, *table[5];

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int count = 5, width = 400, step, i, j;
    int is_all = !strcmp(how, "all"), is_set = !strcmp(how, "set"), is_table = !strcmp(how, "table");
    double **rows = is_table ? table : malloc((size_t) count * sizeof *rows), *local, sum = 0;
    rows[0] = calloc((size_t) (count * width), sizeof **rows);
    for (i = 1; i < count; i++) rows[i] = rows[0] + i * width;
    shared = rows[2];
    local = rows[1] + 3;
    CPPC_Init(&argc, &argv);
    CPPC_Register(0, &step, 1, CPPC_INT, "step", CPPC_STATIC);
    if (is_all || !strcmp(how, "most")) CPPC_Register_pointer(0, &rows, (size_t) count, CPPC_POINTER, "rows", CPPC_STATIC);
    if (is_table) CPPC_Register(0, table, 2, CPPC_POINTER, "table", CPPC_STATIC);
    CPPC_Register_pointer(0, &rows[0], (size_t) (count * width), CPPC_DOUBLE, "rows[0]", CPPC_STATIC);
    if (is_all) {
        CPPC_Register_pointer(0, &shared, 1, CPPC_DOUBLE, "shared", CPPC_STATIC);
        CPPC_Register_pointer(0, &local, 1, CPPC_DOUBLE, "local", CPPC_STATIC);
    }
    if (is_set) {
        for (i = 1; i < count; i++) rows[i] = rows[0] + i * width;
        shared = rows[2];
        local = rows[1] + 3;
    }
    if (!CPPC_Restarting()) step = 0;
    for (; step < 4; step++) {
        CPPC_Do_checkpoint(1);
        maybe_die();
        for (i = 0; i < count; i++)
            for (j = 0; j < width; j++) rows[i][j] += step + i;
        *shared += 1;
        *local += 2;
    }
    for (i = 0; i < count; i++)
        for (j = 0; j < width; j++) sum += rows[i][j] * (i + 1);
    printf("%g\n", sum);
    CPPC_Shutdown();
    return 0;
}
