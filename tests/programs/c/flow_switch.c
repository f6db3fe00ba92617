/* Exercises: checkpoints and registers inside `switch`: after case labels, with fall-through, in a
 * nested switch, in a loop that starts outside and is entered by a case. */
#include "check.h"

enum phase { LOAD, SOLVE, ADAPT, STORE, DONE };

int main(void)
{
    enum phase phase = LOAD;
    int turn = 0, i = 0, left = 3;
    double x = 0.5;

#pragma cppc init
#pragma cppc register(phase, turn, left, x)
    while (phase != DONE) {
        switch (phase) {
        case LOAD:
#pragma cppc checkpoint
            x += 1;
            phase = SOLVE;
            break;
        case SOLVE: {
#pragma cppc register(i)
            for (i = 0; i < 2; i++) {
#pragma cppc checkpoint
                x = x * 1.5 + i;
            }
            phase = turn % 2 ? STORE : ADAPT;
            break;
        }
        case ADAPT:
            switch (turn % 3) {
            case 0:
                x -= 2;
#pragma cppc checkpoint
                /* fall through */
            case 1:
                x -= 1;
                break;
            default:
#pragma cppc checkpoint
                x = -x;
            }
            /* fall through */
        case STORE:
#pragma cppc checkpoint
            phase = ++turn < 5 ? LOAD : DONE;
            break;
        default:
            return 1;
        }
        printf("%d %d %.17g\n", turn, (int)phase, x);
    }
    switch (left % 4)
        while (left > 0) {
        case 3:
            x += 0.5;
            /* fall through */
        case 0:
#pragma cppc checkpoint
            x *= 2;
            left--;
        }
    printf("%.17g\n", x);
#pragma cppc shutdown
    return 0;
}
