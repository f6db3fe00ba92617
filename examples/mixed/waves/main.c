/* Waves on a string: the program is C, the numerics are Fortran.
 *
 *     ./waves [STEPS]
 *
 * `advance_` goes on by a number of steps and has checkpoints of its own; this file has one as well.
 */
#include <stdio.h>
#include <stdlib.h>

#define POINTS 64

/* In waves.f: Fortran adds the underscore and takes everything by reference. */
void pluck_(double *now, double *before, const int *points);
void advance_(double *now, double *before, const int *points, const int *steps);
double energy_(const double *now, const double *before, const int *points);

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 200;
    int points = POINTS, each = 5, done;
    double *now = malloc(POINTS * sizeof *now);
    double *before = malloc(POINTS * sizeof *before);

    if (now == NULL || before == NULL)
        return 1;
#pragma cppc init
    pluck_(now, before, &points);
#pragma cppc register(done, now[POINTS], before[POINTS])
    for (done = 0; done < steps; done += each) {
#pragma cppc checkpoint
        advance_(now, before, &points, &each);
        printf("step %4d  energy %.15g  middle % .15g\n", done + each, energy_(now, before, &points),
               now[points / 2]);
    }
#pragma cppc unregister(now, before)
    free(now);
    free(before);
#pragma cppc shutdown
    return 0;
}
