/* Exercises: frames many levels deep, automatic arrays and structures in each, a checkpoint at the
 * bottom and on the way back, set-up calls at several levels that leave registers behind. */
#include <stdlib.h>

#include "check.h"

typedef struct {
    double sum;
    int turn;
} Tally;

static double *field;
static int points;

static void bottom(Tally *tally, int turn)
{
    double local[3] = {turn, turn * 2, turn * 3};
#pragma cppc register(local)
#pragma cppc checkpoint
    tally->sum += local[0] + local[2] * field[turn % points];
    field[turn % points] = tally->sum;
}

static void third(Tally *outer, double scale)
{
    Tally tally = {scale, 0};
#pragma cppc register(tally)
    for (tally.turn = 0; tally.turn < 2; tally.turn++)
        bottom(&tally, tally.turn + (int)scale);
    outer->sum += tally.sum;
#pragma cppc checkpoint
    outer->turn += tally.turn;
}

static void second(Tally *outer, int way)
{
    Tally tallies[2] = {{0, 0}, {1, 1}};
    int k;
#pragma cppc register(k, tallies)
    for (k = 0; k < 2; k++)
        third(&tallies[k], 1.0 + way * k);
    outer->sum += tallies[0].sum - tallies[1].sum * 0.5;
    outer->turn += tallies[1].turn;
}

static void prepare(int n)
{
    int k;
    points = n;
    field = malloc((size_t)n * sizeof *field);
    for (k = 0; k < n; k++)
        field[k] = k;
#pragma cppc register(points, field[n])
}

static void first(Tally *tally)
{
    int way;
    prepare(5);
#pragma cppc register(way, *tally)
    for (way = 0; way < 3; way++) {
        second(tally, way);
        printf("%d %.17g %d\n", way, tally->sum, tally->turn);
    }
}

int main(void)
{
    Tally tally = {0, 0};
#pragma cppc init
    first(&tally);
    printf("end %.17g %d\n", tally.sum, tally.turn);
    free(field);
#pragma cppc shutdown
    return 0;
}
