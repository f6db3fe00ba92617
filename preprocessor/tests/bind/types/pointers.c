/* Pointers, arrays, functions: what decays and what does not. */
#include <stddef.h>

struct node { int value; struct node *next; double grid[4][5]; const char *name; };
typedef struct { double x, y; } point;
typedef double row[8];
typedef int (*compare)(const void *, const void *);

static int less(const void *a, const void *b) { return a < b; }
extern double table[];
double table[12];
int counts[] = { 1, 2, [7] = 3 };
char text[] = "abc\n";

void f(int n, int list[n], double m[static 3][4], row r, int g(int), const double *restrict in)
{
    int a[10];
    int v[n][n + 1];
    double (*p)[20] = 0;
    double *q[3];
    struct node here = { 0 }, *there = &here;
    const struct node *fixed = &here;
    volatile int *port = 0;
    point points[2];
    row rows[2];
    compare by = less;
    void *memory = 0;

    a; // : int [10]
    &a; // : int (*)[10]
    a + 1; // : int *
    *a; // : int
    a[2]; // : int
    2[a]; // : int
    v; // : ?
    v[0][1]; // : int
    &v[0][1]; // : int *
    p; // : double (*)[20]
    *p; // : double [20]
    p[1][2]; // : double
    q; // : double *[3]
    list; // : int *
    m; // : double (*)[4]
    r; // : double *
    rows[1]; // : row
    g; // : int (*)(int)
    in; // : const double *restrict
    *in; // : const double
    table; // : double [12]
    counts; // : int [8]
    text; // : char [5]
    "ab" "c"; // : char [4]
    less; // : int (const void *, const void *)
    &less; // : int (*)(const void *, const void *)
    *less; // : int (const void *, const void *)
    by; // : compare
    by(a, a); // : int
    (*by)(a, a); // : int
    there->next->value; // : int
    there->grid; // : double [4][5]
    there->grid[1]; // : double [5]
    fixed->value; // : const int
    fixed->grid[0][0]; // : const double
    fixed->next; // : struct node *const
    there->name; // : const char *
    *there->name; // : const char
    port[3]; // : volatile int
    points; // : point [2]
    points[0].x; // : double
    &points[1]; // : point *
    a - list; // : long
    &a[3] - 1; // : int *
    memory; // : void *
    n ? a : 0; // : int *
    n ? there : memory; // : void *
    n ? (void *)0 : there; // : struct node *
    n ? fixed : there; // : const struct node *
    (point){ 1, 2 }; // : point
    (int []){ 1, 2, 3 }; // : int [3]
    (double *)memory; // : double *
    sizeof(int [3]); // : unsigned long
    offsetof(struct node, grid); // : unsigned long
    &*there; // : struct node *
    less == 0; // : int
    ({ int k = 3; k + 1.0; }); // : double
    ({ a; }); // : int *
    ({ if (n) ; }); // : void
    __extension__ a[0]; // : int
}
