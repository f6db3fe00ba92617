/* The state that the golden files hold: what a reader of any time and machine has to understand. */

#include "dying.h"
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>

struct mark { char letter; double weight; };
struct sheet { short number; struct mark marks[2]; long sum; struct sheet *next; double *best; long double exact; };

static char text[16] = "golden";
static signed char tiny = -100;
static unsigned short port = 65000;
static int number = -123456789;
static unsigned mask = 0xfedcba98u;
static long whole = -2000000001L;
static unsigned long unsigned_whole = 4123456789UL;
static long long big = -9000000000000000001LL;
static bool flag = true;
static float quarter = 0.25f;
static double tenth = 0.1;
static long double third = 3 + 1.0L / 1024;
static _Float128 wide = -7 - 1.0f128 / 4096;
static double complex turned;
static long row[5] = { 1, -2, 3, -4, 2000000000L };
static struct sheet sheets[3];
static long nothing[40]; /* version 1 had none */
static double scores[6] = { 0.5, 1.5, 2.5, 3.5, 4.5, 5.5 };

int main(int argc, char **argv)
{
    double *heap;
    int turn, i;
    long step = 41;
#pragma cppc init
    heap = malloc(300 * sizeof *heap);
    for (i = 0; i < 300; i++) heap[i] = i * 0.5;
    turned = 1.5 - 2.5 * I;
    for (i = 0; i < 3; i++) {
        sheets[i].number = i - 1;
        sheets[i].marks[0].letter = 'a' + i; sheets[i].marks[0].weight = i + 0.25;
        sheets[i].marks[1].letter = 'x' + i; sheets[i].marks[1].weight = -i;
        sheets[i].sum = -1000000L * i;
        sheets[i].next = i < 2 ? &sheets[i + 1] : NULL;
        sheets[i].best = i == 1 ? &heap[17] : &scores[i];
        sheets[i].exact = i + 0.125L;
    }
#pragma cppc execute capture(step)
    step = step + 1;
#pragma cppc end execute
#pragma cppc register(turn, step, text, tiny, port, number, mask, whole, unsigned_whole, big, flag, quarter, tenth, third, wide, turned)
#pragma cppc register(row, nothing, scores, heap[300], sheets)
    for (turn = 0; turn < 2; turn++) {
#pragma cppc checkpoint
        maybe_die(turn + 1);
        for (i = 0; i < 3; i++) sheets[i].sum += (long) *sheets[i].best;
        number += turn;
    }
    printf("%s %d %d %d %u %ld %lu %lld %d\n", text, tiny, port, number, mask, whole, unsigned_whole, big, flag);
    printf("%a %a %a %a %a %a %ld\n", quarter, tenth, (double) third, (double) wide, creal(turned), cimag(turned), step);
    for (i = 0; i < 5; i++) printf("%ld ", row[i]);
    for (i = 0; i < 3; i++) printf("%d %c %a %ld %d %a %a\n", sheets[i].number, sheets[i].marks[1].letter, sheets[i].marks[0].weight, sheets[i].sum,
                                   sheets[i].next == NULL, *sheets[i].best, (double) sheets[i].exact);
    for (i = 0; i < 300; i += 29) printf("%a ", heap[i]);
    printf("\n");
    free(heap);
#pragma cppc shutdown
    return 0;
}
