! flags: -DGIVEN=7 -D TWICE(x)=x+x -UGONE
program macros
#define N 10
#define SQ(x) ((x)*(x))
#define STR(x) "x"
#define CAT(a,b) a/**/b
#define EMPTY
#define DBG !
#define MULTI a \
  + b
#define F(a) [a]
#define G F
#define H(x) G(x)
#define E0() e0
#define CM(x) x /* com */ y
#define WHERE __LINE__
  integer :: a(N), x /* comment */, y
  character(N) :: c = 'N is N'
  c = 'abc // N' // N ; d = "N" // STR(hello)
  x = SQ(N) + SQ (y+1) + sq(2) + SQ
  x = CAT(x,y)
  DBG print *, 'no'
EMPTY x = 1
  x = MULTI ! don't N
  x = N_suffix + N.and.N + 1.N + 1N
  x = a // b ! /* not
  y = 1 ! a comment N */
  ! don't expand N
  x = SQ(F(3)) + SQ('a)') + SQ(a
)
  c = 'it''s N' // "don't N" // N
  c = 'open N &
     & goes N on' // N
  print *, WHERE, __LINE__
  x = a \
   + b
  G(1) = H(2) + F(F(3)) + E0() + CM(4)
  x = F() + TWICE(GIVEN) + GONE
#ifdef N /* hi */
  x = 1
#else
  x = 2
#endif
#if defined GIVEN && GIVEN > 5 && defined(N)
  yes = 1
#elif GIVEN
  no = 1
#endif
#if UNDEFINED || SQ(2) != 4 || \
  !defined (N)
  no = 2
# ifdef N
  no = 3
# else
  no = 4
# endif
#elif N == 10
  yes = 2
#else
  no = 5
#endif
  call s(a, &
#ifdef GIVEN
    GIVEN, &
#else
    b, &
#endif
    c)
#include "include/part.h"
#undef N
  x = N + FROM_PART
#if __GFORTRAN__ && defined(__GFORTRAN__) && !defined(_OPENMP)
  gfortran = .true.
#endif
  !$cppc register(a(FROM_PART), SQ(x))
end program
