// Words that are keywords only since C23, as older programs use them.
typedef enum { false, true } bool;
bool yes = true;
int alignof = 1, nullptr = 2, constexpr;
struct s { int bool, true; };
int f(struct s *s, int thread_local) { return s->bool + s->true + alignof * nullptr + thread_local; }
