/* Nothing reads the bytes between the fields of a structure.
 * reports: other */
#include <stdio.h>

struct part {
    double value;
    int count;
};

static double get(struct part part)
{
    return part.value * part.count;
}

int main(int argc, char **argv)
{
    int i;
#pragma cppc init
    struct part part = { argc, 2 }, other = { argc, 2 };
    (void)argv;
#pragma cppc register(i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        part.value = i;
        part.count = i + 1;
        other.value = i;
        printf("%g %g\n", get(part), get(other));
    }
#pragma cppc shutdown
    return 0;
}
