/* Exercises: procedures written on one line, several statements on a line with a directive's block,
 * macros used in ordinary code around blocks: loops, bodies, types and names from macros. */
#include "check.h"

#define EACH(v, n) for ((v) = 0; (v) < (n); (v)++)
#define UNLESS(c) if (!(c))
#define REAL double
#define SQUARE(x) ((x) * (x))
#define BEGIN {
#define END }
#define NAME(n) state_##n
#define ADD(to, what) do { (to) += (what); } while (0)

static REAL NAME(x) = 1; static int NAME(n);

static REAL grow(REAL x) { ADD(x, 1);
#pragma cppc register(x)
#pragma cppc checkpoint
return SQUARE(x) / (x + 1); }

int main(void) { int i, k;
#pragma cppc init
#pragma cppc register(i, k, state_x, NAME(n))
    EACH(i, 4) BEGIN UNLESS(i == 2) {
#pragma cppc checkpoint
        ADD(NAME(x), SQUARE(i)); } k = i; NAME(n)++; state_x += grow(state_x); EACH(k, 2) ADD(state_x, k);
        printf("%d %d %d %.17g\n", i, k, NAME(n), NAME(x));
    END
#pragma cppc shutdown
    return 0; }
