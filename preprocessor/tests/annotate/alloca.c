/* Memory of `alloca` gets a register, so that no state is written with which a restart would fail. C0719 reports it. */
#include <alloca.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = argc + 7, sum = 0;
    int *best = alloca(n * sizeof *best);
    for (int i = 0; i < n; i++)
        best[i] = i;
    for (int t = 0; t < 8; t++) {
#pragma cppc checkpoint
        best[t % n] += t;
    }
    for (int i = 0; i < n; i++)
        sum = 3 * sum + best[i];
    printf("%d %s\n", sum, argv[0]);
    return 0;
}
