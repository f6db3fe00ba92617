/* Exercises: calls with a checkpoint in the conditions of `if`, `else if`, `while`, `for`,
 * `do … while` with `continue` and `break`, and `switch`; in a `for` header's other parts. */
#include "check.h"

typedef struct {
    int count, limit;
    double value;
} State;

static int step(State *s)
{
    s->value = s->value * 1.125 + s->count;
#pragma cppc register(s->count, s->limit, s->value)
#pragma cppc checkpoint
    s->count++;
    return s->count < s->limit;
}

static int phase(int i)
{
#pragma cppc checkpoint
    return i * 5 % 3;
}

int main(void)
{
    State s = {0, 3, 1.0};
    int i, odd = 0;

#pragma cppc init
#pragma cppc register(i, odd, s)
    while (step(&s))
        printf("while %d %.17g\n", s.count, s.value);

    s.limit = 6;
    do {
        if (s.count % 2) {
            odd++;
            continue;
        }
        if (s.count > 100)
            break;
        printf("do %d %.17g\n", s.count, s.value);
    } while (step(&s));

    for (i = 0; phase(i) < 3 && i < 4; i++) {
        if (phase(i) == 0)
            odd += 10;
        else if (phase(i + 1) == 1)
            odd += 100;
        else if (s.count > 5 && phase(i + 2))
            odd += 1000;
        else
            odd += 10000;
        switch (phase(i)) {
        case 0:
            odd += 1;
            break;
        case 1:
            odd += 2; /* fall through */
        default:
            odd += 3;
        }
        printf("for %d %d\n", i, odd);
    }
    for (i = phase(2); i < 6; i += 1 + phase(i)) {
        if (i == 3)
            continue;
        odd ^= i;
    }
    printf("%d %d %d %.17g\n", i, odd, s.count, s.value);
    for (s.limit = 9; step(&s); step(&s))
        printf("steps %d %.17g\n", s.count, s.value);
#pragma cppc shutdown
    return 0;
}
