/* Frames, recursion, automatic variables, captured values of types that differ, memory of each turn. */

#include "dying.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct rule { char sign; long factor; int64_t limit; };

static long double total;
static double made[4];
static int passed;

static double step(double *field, size_t count, const struct rule *rule, long depth)
{
    double local[3] = { depth, 0.5, -1 };
    unsigned long sum = 0;
    size_t i;
#pragma cppc register(local, sum)
    for (i = 0; i < count; i++) sum += (unsigned long) (field[i] * 8) % 1000;
    if (depth > 0) local[1] += step(field + 1, count - 1, rule, depth - 1);
#pragma cppc checkpoint
    maybe_die(++passed);
    for (i = 0; i < count; i++) field[i] += local[0] * rule->factor / (double) rule->limit;
    total += local[1];
    return local[1] + sum % 17;
}

int main(int argc, char **argv)
{
    struct rule rule = { '-', 70000, 5000000000LL };
    double *field;
    size_t count = 50, i;
    long kind;
    ptrdiff_t shift = -2;
    int turn;
    double results[8] = { 0 };
#pragma cppc init
    field = malloc(count * sizeof *field);
    for (i = 0; i < count; i++) field[i] = i * 0.75;
    for (kind = 0; kind < 4; kind++) {
#pragma cppc execute capture(kind, shift, count)
        made[kind] = (double) (kind * 1000 + shift + (long) count);
#pragma cppc end execute
        shift -= 3;
    }
#pragma cppc register(count, turn, field[count], total, rule, results, shift, passed)
    for (turn = 0; turn < 3; turn++) {
        results[turn] = step(field, count - turn, &rule, turn) + made[turn + 1];
        shift += turn;
    }
    for (i = 0; i < count; i++) printf("%a ", field[i]);
    for (i = 0; i < 8; i++) printf("%a ", results[i]);
    printf("%a %d %d %d\n", (double) total, (int) shift, (int) count, passed);
    free(field);
#pragma cppc shutdown
    return 0;
}
