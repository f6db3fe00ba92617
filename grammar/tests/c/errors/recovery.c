int before = 1;
int broken(void) { struct s { int x } y = ( ; { { } } while (1) { } }
//                                          ~ error[C0201] expected an expression before `;`
typedef struct { int a $ b; } pair;
//                     ~ error[C0201] expected `;` before `$`
pair usable;
typedef void (*callback)(int, @);
//                            ~ error[C0201] expected a type or `...` before `@`
callback also_usable;
static int table[] = { 1, 2, @ 3, { 4 } }, other;
//                           ~ error[C0201] expected an expression before `@`
struct with_body { int x; int y z; } instance, *pointer;
//                              ~ error[C0201] expected `;` before `z`
int old(a, b) int a; char b { return a; }
//                          ~ error[C0201] expected `;`, `,` or `=` before `{`
int main(void) { return usable.a; }
