/* Exercises: calls through function pointers: from a constant table, a field, a parameter, and a
 * variable that an execute block sets. */
#include "check.h"

typedef struct machine Machine;
typedef int (*Action)(Machine *);

struct machine {
    int state;
    double value;
};

static int forward(Machine *m)
{
#pragma cppc register(m->state, m->value)
#pragma cppc checkpoint
    m->value *= 1.5;
    return 1;
}

static int backward(Machine *m)
{
    m->value -= 0.25;
#pragma cppc register(m->state, m->value)
#pragma cppc checkpoint
    return 2;
}

static int stay(Machine *m)
{
    m->state ^= 1;
    return 0;
}

static const Action actions[] = {forward, backward, stay};
static const struct {
    const char *name;
    Action action;
} named[2] = {{"on", forward}, {"off", backward}};

static int apply(Action action, Machine *m, int times)
{
    int k, sum = 0;
#pragma cppc register(k, sum)
    for (k = 0; k < times; k++)
        sum += action(m);
    return sum;
}

int main(void)
{
    Machine m = {0, 1.0};
    Action chosen;
    int i, sum = 0;

#pragma cppc init
#pragma cppc execute
    chosen = backward;
#pragma cppc end execute
#pragma cppc register(i, sum, m)
    for (i = 0; i < 4; i++) {
        sum += actions[i % 3](&m) * 100;
        sum += (*actions[(i + 1) % 3])(&m) * 10;
        sum += named[i % 2].action(&m);
        sum += apply(actions[(i + 2) % 3], &m, 2);
        sum += apply(i % 2 ? forward : stay, &m, 2);
        sum += chosen(&m);
        printf("%d %d %d %.17g %s\n", i, m.state, sum, m.value, named[i % 2].name);
    }
#pragma cppc shutdown
    return 0;
}
