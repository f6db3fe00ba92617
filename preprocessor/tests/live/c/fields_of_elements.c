/* reports: behind, part, unknown
 * all: behind, counted, part, target[k].sum, unknown */
#include <stdlib.h>

typedef struct {
    int count;
    double sum, more[2];
} Part;

static Part whole[9], counted[9], behind[9], part[9], unknown[9], grid[3][4];

int main(int argc, char **argv)
{
    int i, k, n = argc + 7;
    Part *target = calloc(9, sizeof *target);
#pragma cppc init
#pragma cppc register(i, whole[:].sum, whole[0:9].more, counted[0:n].sum, behind[:].sum)
#pragma cppc register(part[2:5].sum, unknown[n - 7:8].sum, grid[:][:].sum, target[0:9].sum)
    for (k = 0; k < 9; k++)
        behind[k].count = k;
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        for (k = 0; k < 9; k++) {
            whole[k].sum += i;
            whole[k].more[1] -= i;
            counted[k].sum += i;
            behind[k].sum += behind[k].count;
            part[k].sum += i;
            unknown[k].sum += i;
            grid[k % 3][k % 4].sum += i;
            target[k].sum += i;
        }
    }
#pragma cppc shutdown
    return whole[1].sum + whole[2].more[1] + counted[3].sum + behind[4].sum + part[5].sum + unknown[6].sum
            + grid[2][1].sum + target[4].sum
        > 3;
}
