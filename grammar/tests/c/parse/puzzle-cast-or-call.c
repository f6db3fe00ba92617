// A parenthesis before an operand is a cast or a call, an operator unary or binary.
typedef int T;
int g(int);
int f(int x) {
    int a = (T) (x), b = (g) (x), c = (T) -x, d = (x) -x, e = (T) * &x, h = (x) * (x), i = (T) & g != 0;
    int j = sizeof (T) + 1, k = sizeof (x) + 1, l = sizeof (T) { 1 } + 1, m = sizeof (T) * x;
    return a + b + c + d + e + h + i + j + k + l + m + (T) { 2 } + (T) (T) (x) ++;
}
