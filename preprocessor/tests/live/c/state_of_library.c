/* State of libraries: random numbers that go on after the checkpoint (reported), numbers of a generator whose state is a
 * variable, tokens that end before the checkpoint, and tokens of another text that begin after it.
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
    srand48(42);
    sum += drand48();
    for (word = strtok(text, " "); word; word = strtok(NULL, " "))
        printf("%s\n", word);
#pragma cppc register(i, sum, own, wide, text)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += draw() + rand_r(&own) + erand48(wide);
        strcpy(text, "a b c");
        for (word = strtok(text, " "); word; word = strtok(NULL, " "))
            sum += strlen(word);
    }
    printf("%g\n", sum);
#pragma cppc shutdown
    return 0;
}
