// The words of a type in any order.
long unsigned int long a; int short b; signed c; double long d; char unsigned e; long long f;
_Complex g; float _Complex h; double long __complex__ i; _Complex int j; __int128 unsigned k;
_Float128 l; _Float32 m; _Float64x n; __builtin_va_list o; _Bool p;
