/* Lines, files and counters. */
__LINE__ __FILE__ __COUNTER__ __COUNTER__ __INCLUDE_LEVEL__ __BASE_FILE__
#define L __LINE__
#define ID(x) x
#define TWO(a, b) a b __LINE__
L ID(__LINE__) ID(L)
ID(
__LINE__
__LINE__
) TWO(__LINE__,
__LINE__
)
TWO(
1,
L)
#line 100
__LINE__ L
#line 200 "other.c"
__LINE__ __FILE__
#define N 300
#line N
__LINE__
# 400 "marker.c" 1
__LINE__ __FILE__
#line 500 "back.c"
__LINE__ __FILE__
/*
*/ __LINE__
#if __LINE__ == 504
line_in_if
#endif
__COUNTER__
#if __COUNTER__ == 3
counted
#endif
#define U_(a) v ## a
#define U(a) U_(a)
U(__COUNTER__) U(__LINE__)
