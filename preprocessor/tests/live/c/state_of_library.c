/* State of libraries: random numbers that go on after the checkpoint (reported), numbers of a generator whose state is a
 * variable, and tokens that end before the checkpoint.
 * reports: rand
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double draw(void)
{
    return rand() / 2.0;
}

int main(void)
{
    int i;
    double sum = 0;
    unsigned own = 7;
    unsigned short wide[3] = {1, 2, 3};
    char text[] = "a b c", *word;
#pragma cppc init
    srand(42);
    for (word = strtok(text, " "); word; word = strtok(NULL, " "))
        printf("%s\n", word);
#pragma cppc register(i, sum, own, wide)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += draw() + rand_r(&own) + erand48(wide);
    }
    printf("%g\n", sum);
#pragma cppc shutdown
    return 0;
}
