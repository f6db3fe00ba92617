/* Exercises: captured elements of arrays, whose place is that of the captured subscript. */
#include "check.h"

static int team[4], colour[4];
static struct {
    int size;
    double share;
} parts[4];

int main(void)
{
    int i, k;

#pragma cppc init
    for (k = 0; k < 4; k++) {
        colour[k] = 10 * k + 3;
        parts[3 - k].share = 0.25 * k;
#pragma cppc execute capture(colour[k], parts[3 - k].share, k)
        team[k] = colour[k] * 2 + k;
        parts[3 - k].size = (int)(parts[3 - k].share * 100);
#pragma cppc end execute
    }
    for (k = 0; k < 4; k++) {
        colour[k] = 0;
        parts[k].share = -1;
    }
#pragma cppc register(i, k, colour)
    for (i = 0; i < 4; i++) {
#pragma cppc checkpoint
        colour[i] += team[(i + 1) % 4] + parts[i].size;
        printf("%d %d %d %d %d %d %d\n", i, k, team[0], team[1], team[2], team[3], colour[i]);
        printf("%d %d\n", parts[0].size, parts[3].size);
    }
#pragma cppc shutdown
    return 0;
}
