/* Exercises: the program's own labels as values and case ranges, next to the translation's. */
#include "check.h"

static int run(const int *program)
{
    static const void *const targets[] = {&&add, &&double_it, &&note, &&stop};
    int at = 0, value = 1, noted = 0;
#pragma cppc register(at, value, noted)
    goto *targets[program[at++]];
add:
    value += 3;
    goto *targets[program[at++]];
double_it:
    value *= 2;
#pragma cppc checkpoint
    goto *targets[program[at++]];
note:
    switch (value) {
    case 0 ... 10:
        noted += 1;
        break;
    case 11 ... 1000:
#pragma cppc checkpoint
        noted += 10;
    }
    goto *targets[program[at++]];
stop:
    printf("%d %d %d\n", at, value, noted);
    return value;
}

int main(void)
{
    static const int first[] = {0, 1, 2, 1, 2, 1, 2, 0, 3};
    static const int second[] = {1, 1, 1, 2, 1, 2, 3};
    int sum = 0;

#pragma cppc init
#pragma cppc register(sum)
    sum += run(first);
    sum += run(second) * 3;
    printf("%d\n", sum);
#pragma cppc shutdown
    return 0;
}
