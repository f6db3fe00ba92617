/* Exercises: declarations after statements, right after directives, right after labels' statements
 * and in `case` scopes; initialised ones that a resume jumps over; registered ones among them. */
#include "check.h"

int main(void)
{
#pragma cppc init
    int n = 4;
    double scale = 1.5;
#pragma cppc register(n, scale)
    double sum = 0, x[3] = {1, 2, 3};
    int i;
#pragma cppc register(i, sum, x)
    for (i = 0; i < n; i++) {
        int before = i * 2;
        sum += before;
#pragma cppc checkpoint
        int after = i * 3;
        const double weights[2] = {0.5, 0.25};
        x[i % 3] = x[i % 3] * weights[i % 2] + after * scale;
#pragma cppc checkpoint
        struct { double low, high; } range = {x[0], x[1]};
        static int calls = 0;
#pragma cppc register(calls)
        calls++;
        if (i == 1) {
            double shift = 10;
            sum += shift;
            /* `range` is used only in other steps. */
#pragma cppc allow(C0701, range)
#pragma cppc checkpoint
            int again = 3;
            sum += again + calls;
        }
        if (i != 1)
            sum += range.low - range.high;
        printf("%d %.17g %d\n", i, sum, calls);
    }
#pragma cppc shutdown
    return 0;
}
