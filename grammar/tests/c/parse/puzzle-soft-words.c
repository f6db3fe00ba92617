// Words that are keywords only since C23, as older programs use them.
typedef enum { false, TRUE } bool;
bool yes = false;
int alignof = 1, nullptr = 2, constexpr;
struct s { int bool, x, other; int true; };
int f(struct s *s, int thread_local) { return s->bool + s->true + alignof * nullptr + thread_local; }
enum bool { maybe };
true(c) { return c; }
int nullptr_(void) { return true(1); }
