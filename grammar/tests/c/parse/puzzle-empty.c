// Stray semicolons, declarations that declare nothing, and fields without one.
;
struct s { ; int a; ; };
int;
struct s;
enum { A, B, };
struct t { int a; int b };
static struct s x;;
int f(), g(void) , h(int, ...), i(int []), j(int [static 3], int n, int [const *], int [n]);
void k(int n; int a[n], int n) {};
