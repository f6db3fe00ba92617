/* Pragmas go their own way. */
#define X 1
#pragma push_macro("X")
#undef X
#define X 2
X
#pragma pop_macro("X")
X
#pragma push_macro("Y")
#define Y y
Y
#pragma pop_macro("Y")
Y
#pragma pop_macro("Z")
a _Pragma("once upon") b
#define P(x) _Pragma(#x) after
P(omp parallel)
#define D _Pragma("push_macro(\"X\")") X
D
_Pragma("pop_macro(\"X\")") X
#pragma STDC FP_CONTRACT ON
#pragma omp parallel for \
   private(x)
z
#ident "id"
#pragma
