/* Exercises: directives that go over several lines: spliced between words and within them, with
 * comments that hold line ends, with tabs between all words, and trigraph-free backslashes before a
 * comment. */
#include "check.h"

int main(void)
{
    double grid[4] = {1, 2, 3, 4}, sum = 0;
    int i;

#pragma cppc \
    init
#pra\
gma cppc regis\
ter(i, /* the turn,
          counted from zero */ sum,	\
    grid  [ 4 ] ) // and the field
    for (i = 0; i < 4; i++) {
#	pragma	cppc	execute	on	restart	capture	(	sum	)	/* said
        again after a restart */
        sum = sum + 0;
#pragma /* one */ cppc /* two */ end /* three */ \
 execute
/**/ # /* four */ pragma cppc checkpoint /* five
        */
        grid[i] = grid[(i + 1) % 4] * 1.5 + sum;
        sum += grid[i];
        printf("%d %.17g %.17g\n", i, sum, grid[i]);
    }
#pragma cppc shut\
down
    return 0;
}
