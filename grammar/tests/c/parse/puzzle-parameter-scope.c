// Parameters hide types from the next parameter on, and only to the closing parenthesis.
typedef long T, U;
enum { V } (*f(T T, enum { U } y, int x[T + U]))(T t);
T x[(U) V + 1];
