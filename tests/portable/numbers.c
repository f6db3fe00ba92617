/* Every arithmetic type, with values that all machines have in common. What is printed does not depend on
 * the width of a type. */

#include "dying.h"
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

enum colour { RED, GREEN, BLUE = 70000 };

static char letter = 'a';
static signed char tiny = -3;
static unsigned char byte = 200;
static short small = -300;
static unsigned short unsigned_small = 60000;
static int number = -70000;
static unsigned unsigned_number = 4000000000u;
static long whole = -2000000000L;
static unsigned long unsigned_whole = 4000000000UL;
static long long big = -5000000000LL;
static unsigned long long unsigned_big = 18000000000000000000ULL;
static bool flag = true;
static enum colour colour = BLUE;
static size_t size = 3000000000u;
static ptrdiff_t difference = -5;
static int64_t exact = -1234567890123456789;
static uint32_t mask = 0xdeadbeef;
static wchar_t wide = L'z';
static float f = 0.1f;
static double d = 0.1;
static long double ld = 1.0L / 1024 + 3;
static _Float128 q = 1.0f128 / 1024 + 5;
static float complex fc;
static double complex dc;
static long double complex lc;
static double not_a_number, infinite, minus_zero = -0.0;
static long double large = 1e300L;
static long longs[100];
static size_t sizes[64];
static char text[40] = "state that travels";

int main(int argc, char **argv)
{
    int turn, i;
    double *heap;
    long *heap_of_longs;
    long double *heap_of_long_doubles;
#pragma cppc init
    heap = malloc(5000 * sizeof *heap);
    heap_of_longs = malloc(3000 * sizeof *heap_of_longs);
    heap_of_long_doubles = malloc(70 * sizeof *heap_of_long_doubles);
    for (i = 0; i < 5000; i++) heap[i] = i / 3.0;
    for (i = 0; i < 3000; i++) heap_of_longs[i] = i * -700001L;
    for (i = 0; i < 70; i++) heap_of_long_doubles[i] = i * 0.5L;
    for (i = 0; i < 100; i++) longs[i] = i % 2 ? i : -i;
    for (i = 0; i < 64; i++) sizes[i] = 67108863u * (size_t) i;
    fc = 1 + 2 * I; dc = 0.1 - 3 * I; lc = 0.25L + I;
    not_a_number = 0.0 / (argc - 1.0 - (argc - 1)); infinite = 1 / minus_zero;
#pragma cppc register(letter, tiny, byte, small, unsigned_small, number, unsigned_number, whole, unsigned_whole)
#pragma cppc register(big, unsigned_big, flag, colour, size, difference, exact, mask, wide, f, d, ld, q, fc, dc, lc)
#pragma cppc register(not_a_number, infinite, minus_zero, large, longs, sizes, text, turn)
#pragma cppc register(heap[5000], heap_of_longs[3000], heap_of_long_doubles[70])
    for (turn = 0; turn < 4; turn++) {
#pragma cppc checkpoint
        maybe_die(turn + 1);
        letter++; tiny--; byte += 11; small -= 7; unsigned_small += 7; number -= 5; unsigned_number += 50000000u;
        whole -= 9; unsigned_whole += 9; big *= 3; unsigned_big /= 3; flag = !flag; colour = colour == BLUE ? GREEN : BLUE;
        size += 17; difference -= turn; exact += 1000000007; mask = mask << 3 | mask >> 29; wide++;
        f *= 1.5f; d *= 1.1; ld *= 1.5L; q *= 1.5f128; fc *= 1 + I; dc *= 1 - I; lc *= 2 + I;
        large *= 2;
        for (i = 0; i < 100; i++) longs[i] += longs[(i + 1) % 100] / 2;
        for (i = 0; i < 64; i++) sizes[i] ^= (size_t) i;
        for (i = 0; i < 5000; i++) heap[i] += heap[(i * 7 + 1) % 5000] * 0.25;
        for (i = 0; i < 3000; i++) heap_of_longs[i] = heap_of_longs[i] / 2 + i;
        for (i = 0; i < 70; i++) heap_of_long_doubles[i] += turn;
        text[turn] -= 32;
    }
    printf("%d %d %d %d %d %d %u\n", letter, tiny, byte, small, unsigned_small, number, unsigned_number);
    printf("%ld %lu %lld %llu %d %d\n", whole, unsigned_whole, big, unsigned_big, flag, (int) colour);
    printf("%lu %ld %lld %x %d\n", (unsigned long) size, (long) difference, (long long) exact, mask, (int) wide);
    printf("%a %a %a %a\n", f, d, (double) ld, (double) q);
    printf("%a %a %a %a %a %a\n", crealf(fc), cimagf(fc), creal(dc), cimag(dc), (double) creall(lc), (double) cimagl(lc));
    printf("%d %a %a %a %s\n", not_a_number != not_a_number, infinite, minus_zero, (double) large, text);
    for (i = 0; i < 100; i++) printf("%ld ", longs[i]);
    for (i = 0; i < 64; i++) printf("%lu ", (unsigned long) sizes[i]);
    for (i = 0; i < 5000; i += 37) printf("%a ", heap[i]);
    for (i = 0; i < 3000; i += 31) printf("%ld ", heap_of_longs[i]);
    for (i = 0; i < 70; i += 3) printf("%a ", (double) heap_of_long_doubles[i]);
    printf("\n");
    free(heap); free(heap_of_longs); free(heap_of_long_doubles);
#pragma cppc shutdown
    return 0;
}
