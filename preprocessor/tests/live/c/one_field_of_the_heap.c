/* reports: one->total
 * all: one->total, two[0].used */
#include <stdlib.h>

typedef struct {
    int used;
    double total;
} Box;

int main(void)
{
    Box *one, *two;
    int i;
    one = calloc(1, sizeof *one);
    two = calloc(2, sizeof *two);
#pragma cppc init
#pragma cppc register(i, one->used, two[1].used, two[1].total)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        one->used += i;
        one->total += one->used;
        two[0].used++;
        two[1].used++;
    }
#pragma cppc shutdown
    return one->total > 3 && two[0].used > two[1].used;
}
