/* Exercises: one register of every arithmetic type of C, each changed in every step: integers of
 * all widths, `_Bool`, enumerations, floating point up to `long double`, complex numbers. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#include "check.h"

enum colour { RED, GREEN = 5, BLUE };

int main(void)
{
    bool flag = false;
    char letter = 'a';
    signed char small = -100;
    unsigned char byte = 250;
    short narrow = -30000;
    unsigned short unarrow = 65530;
    int i, whole = -2000000000;
    unsigned natural = 4294967290u;
    long wide = -9000000000000000000L;
    unsigned long uwide = 18446744073709551610ul;
    long long wider = -9223372036854775807LL;
    unsigned long long uwider = 18446744073709551600ull;
    int8_t i8 = 1;
    uint16_t u16 = 2;
    int32_t i32 = 3;
    uint64_t u64 = 4;
    size_t size = 5;
    ptrdiff_t distance = -6;
    wchar_t glyph = L'x';
    float single = 0.1f;
    double real = 0.1;
    long double extended = 0.1L;
    float complex csingle = 1.0f + 2.0f * I;
    double complex creal = 0.5 - 0.25 * I;
    long double complex cextended = 3.0L + 4.0L * I;
    enum colour colour = RED;

#pragma cppc init
#pragma cppc register(i, flag, letter, small, byte, narrow, unarrow, whole, natural)
#pragma cppc register(wide, uwide, wider, uwider, i8, u16, i32, u64, size, distance, glyph)
#pragma cppc register(single, real, extended, csingle, creal, cextended, colour)
    for (i = 0; i < 6; i++) {
#pragma cppc checkpoint
        flag = !flag;
        letter++;
        small = (signed char)(small + 7);
        byte = (unsigned char)(byte + 3);
        narrow = (short)(narrow + 1111);
        unarrow = (unsigned short)(unarrow + 2);
        whole += 1000003;
        natural += 3;
        wide += 1234567890123L;
        uwide += 5;
        wider += 99;
        uwider += 7;
        i8 = (int8_t)(i8 * 3);
        u16 = (uint16_t)(u16 * 5);
        i32 *= 7;
        u64 *= 11;
        size *= 13;
        distance -= 17;
        glyph++;
        single *= 1.7f;
        real *= 1.3;
        extended *= 1.1L;
        csingle *= 0.5f + 0.5f * I;
        creal *= 1.0 + 0.125 * I;
        cextended += 0.1L * I;
        colour = colour == RED ? GREEN : colour == GREEN ? BLUE : RED;
        printf("%d: %d %c %d %d %d %d %d %u %ld %lu %lld %llu\n", i, flag, letter, small, byte,
               narrow, unarrow, whole, natural, wide, uwide, wider, uwider);
        printf("   %d %d %ld %lu %zu %td %ld %.9g %.17g %.21Lg %d\n", i8, u16, (long)i32,
               (unsigned long)u64, size, distance, (long)glyph, single, real, extended, colour);
        printf("   %.9g%+.9gi %.17g%+.17gi %.21Lg%+.21Lgi\n", crealf(csingle), cimagf(csingle),
               creall(creal) != 0 ? (double)crealf((float complex)creal) : 0.0, cimag(creal),
               creall(cextended), cimagl(cextended));
        printf("   %.17g\n", __real__ creal);
    }
#pragma cppc shutdown
    return 0;
}
