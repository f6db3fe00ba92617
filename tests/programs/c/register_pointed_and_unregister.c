/* Exercises: `unregister(p)` after `register(*p)`, and `unregister(*p)` after `register(p[1])`: both name the
 * same item, whose memory is then freed. */
#include <stdlib.h>

#include "check.h"

int main(void)
{
    int step, *cells, *at, *other;
    Sum sum = SUM_START;

#pragma cppc init
#pragma cppc register(step, sum)
    for (step = 0; step < 5; step++) {
        cells = calloc(6, sizeof *cells);
        at = cells + step;
        other = cells + 5;
#pragma cppc register(cells[6], *at, other[1])
        *at += step;
#pragma cppc checkpoint
        *at += 10;
        *other += *at;
        at = cells + (step + 1) % 6;
#pragma cppc checkpoint
        *at += *other;
        sum = sum_bytes(sum, cells, 6 * sizeof *cells);
        show("cells", step, sum);
#pragma cppc unregister(at, *other, cells)
        free(cells);
#pragma cppc checkpoint
        show("freed", step, sum);
    }
#pragma cppc shutdown
    return 0;
}
