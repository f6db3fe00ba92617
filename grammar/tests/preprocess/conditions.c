/* What `#if` takes for true. */
#define T(n) yes_ ## n
#define ONE 1
#define F(x) x
#define EMPTY
#if 1
T(1)
#endif
#if 0
"unclosed
'unclosed
#else
T(2)
#endif
#if -1 < 0u
T(3)
#elif 1
T(4)
#endif
#if (-1)/2 == 0 && -7 % 3 == -1 && (2 || 1/0) && !(0 && 1/0) && (1 ? 2 : 1/0) == 2
T(5)
#endif
#if 'a' == 97 && '\377' < 0 && 'ab' == 24930 && L'a' == 97 && '\x41' == 65 && '\0' == 0
T(6)
#endif
#if 0xFFFFFFFFFFFFFFFF == -1 && 18446744073709551615u > 0 && 9223372036854775807 + 1 < 0
T(7)
#endif
#if (1 ? -1 : 0u) > 0 && (0 ? 0u : -1) > 0
T(8)
#endif
#if 1 << 63 < 0 && 1u << 63 > 0 && -8 >> 1 == -4
T(9)
#endif
#if defined ONE && defined(ONE) && !defined NONE && defined ( ONE )
T(10)
#endif
#if F(ONE) == 1 && F (1) + F(F(2)) == 3 && EMPTY 1
T(11)
#endif
#if unknown || int || sizeof == 0 && !unknown
T(12)
#endif
#ifdef ONE /* comment */
T(13)
#elif 1 / 0
T(14)
#else junk
T(15)
#endif junk
#ifndef ONE
#if garbage ( ) ' "
#elif more
#endif
#else
T(16)
#endif
#if 0
#if 1
#else
T(17)
#endif
#elif 0
T(18)
#elif 1
T(19)
#elif 1
T(20)
#else
T(21)
#endif
#define DEF defined(ONE)
#if DEF && defined DEF
T(22)
#endif
#if 2 + 3 * 4 - -5 == 19 && (7 & 3 | 8 ^ 1) == 11 && ~0 == -1 && (1, 2) == 2
T(23)
#endif
#if \
  1 \
  == 1
T(24)
#endif
# /* nothing */
#
# if 1 /*
 still a comment */ && 1
T(25)
# endif
#if 0b101 == 5 && 010 == 8 && 0x10 == 16 && 10ull == 10LLU && 5 >= 5 && 5 <= 5 && 5 != 6
T(26)
#endif
#if 0 ? 1 : 0 ? 2 : 3
T(27)
#endif
#if (2 > 1) == 1 && 1 + 1 << 1 == 4 && !0 == 1 && !!5 && - - 1 == 1 && +1
T(28)
#endif
#if -9223372036854775807 - 1 < 0 && 0x8000000000000000 > 0
T(29)
#endif
#if __INT_MAX__ == 2147483647 && __STDC__ && __STDC_VERSION__ >= 199901L
T(30)
#endif
