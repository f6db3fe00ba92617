/* Exercises: a union and a structure with bit-fields, which are saved as bytes, with a warning.
 *
 * warns: bytes
 */
#include "check.h"

union number {
    int whole;
    double real;
    unsigned char bytes[8];
};

struct flags {
    unsigned ready : 1;
    unsigned phase : 3;
    int balance : 7;
    unsigned long : 0;
    unsigned long mark : 40;
};

struct tagged {
    int is_real;
    union number number;
};

int main(void)
{
    union number number = {.real = 1.5};
    struct flags flags = {1, 2, -3, 4};
    static struct tagged tagged[2];
    int i;

#pragma cppc init
#pragma cppc register(i, number, flags, tagged)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        number.real = number.real * 1.75 + i;
        flags.ready = !flags.ready;
        flags.phase = (flags.phase + 3u) & 7u;
        flags.balance = -flags.balance;
        flags.mark = flags.mark * 37 + 1;
        tagged[i % 2].is_real = i % 2;
        if (i % 2)
            tagged[1].number.real += number.real;
        else
            tagged[0].number.whole += i + 1;
        printf("%d %.17g %u %u %d %lu %.17g %d\n", i, number.real, flags.ready, flags.phase,
               flags.balance, (unsigned long)flags.mark, tagged[1].number.real,
               tagged[0].number.whole);
    }
#pragma cppc shutdown
    return 0;
}
