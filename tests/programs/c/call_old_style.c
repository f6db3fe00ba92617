/* Exercises: definitions in the old style (parameters declared after the list), without prototypes,
 * `static` and with default types of parameters promoted. */
#include "check.h"

static double total = 0;

static double step(u, n, scale, letter)
double *u;
int n;
float scale;
char letter;
{
    int i;
#pragma cppc register(i, total)
    for (i = 0; i < n; i++) {
#pragma cppc checkpoint
        u[i] = u[i] * scale + letter;
        total += u[i];
    }
    return total;
}

int run(u, turns)
double u[];
int turns;
{
    int turn;
#pragma cppc register(turn)
    for (turn = 0; turn < turns; turn++)
        printf("%d %.17g\n", turn, step(u, 3, 0.5, 'a' + turn));
    return turn;
}

int main()
{
    double u[3] = {1, 2, 3};

#pragma cppc init
#pragma cppc register(u)
    printf("%d\n", run(u, 3));
    printf("%.17g %.17g %.17g\n", u[0], u[1], u[2]);
#pragma cppc shutdown
    return 0;
}
