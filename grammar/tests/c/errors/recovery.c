int before = 1;
int broken(void) { struct s { int x } y = ( ; { { } } while (1) { } }
//                                          ~
typedef struct { int a $ b; } pair;
//                     ~
pair usable;
typedef void (*callback)(int, @);
//                            ~
callback also_usable;
static int table[] = { 1, 2, @ 3, { 4 } }, other;
//                           ~
struct with_body { int x; int y z; } instance, *pointer;
//                              ~
int old(a, b) int a; char b { return a; }
//                          ~
int main(void) { return usable.a; }
