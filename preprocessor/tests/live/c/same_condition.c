/* Memory is allocated, registered and used under one condition. Other memory is allocated under it, and not registered.
 * reports: forgotten
 * all: forgotten, whole[i] */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double *whole, *forgotten;
    int i;
    (void)argv;
#pragma cppc init
    if (argc == 1) {
        whole = calloc(8, sizeof *whole);
        forgotten = calloc(8, sizeof *forgotten);
#pragma cppc register(whole[8])
    }
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        if (argc == 1) {
            whole[i] += i;
            forgotten[i] += i;
            printf("%g %g\n", whole[i], forgotten[i]);
        }
    }
#pragma cppc shutdown
    return 0;
}
