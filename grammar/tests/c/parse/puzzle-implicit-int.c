// The old rule: where no type is written, int is meant.
typedef int T;
static (x), *y;
int f(const *p, register n, const) { return *(const *const) p + (volatile) n + sizeof(const *); }
