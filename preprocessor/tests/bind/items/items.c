/* What each item is: key, slot, lvalue, count, element, sizes. */
#include <stddef.h>
#include <string.h>
#define ROWS 4
#define NAME(n) state_##n
#define AT(p, n) p[n]

typedef struct { double x, y; } point;
struct model { int n; double *values; point origin; point corners[3]; char name[16]; struct model *next; };
struct { int head; double body[5]; } record;
enum mode { off, on };
double table[ROWS][5];
static int NAME(calls);
static char *title;

static void helper(int *n, double matrix[ROWS][3], int list[])
{
    static long total;
#pragma cppc register(total, *n, matrix[ROWS], list[*n])
//= `items.c:helper:total`: Scalar total, 1 x CPPC_LONG (item 1 of `helper`)
//= `*n`: Scalar *n, 1 x CPPC_INT, through a pointer
//= `matrix`: Pointer matrix, (size_t)(ROWS) * (sizeof matrix[0] / sizeof matrix[0][0]) x CPPC_DOUBLE, shape {ROWS, 3}
//= `list`: Pointer list, *n x CPPC_INT, sizes *n
}

void items(int rows, int columns, struct model *s, double **lines, double (*grid)[20], const double *in)
{
    int i;
    static int count;
    struct model world;
    double *u, v[10], plane[rows][columns];
    point *points;
    enum mode mode;
    int dims[2];
    unsigned long long wide;
    double *pointers[3];
    float cube[2][3][4], (*block)[6][7];

#pragma cppc register(i, count, u[rows * columns], table, NAME(calls))
//= `i`: Scalar i, 1 x CPPC_INT (item 10 of `items`)
//= `items:count`: Scalar count, 1 x CPPC_INT
//= `u`: Pointer u, rows * columns x CPPC_DOUBLE, sizes rows columns
//= `table`: Aggregate table, sizeof table / sizeof table[0][0] x CPPC_DOUBLE, shape {4, 5}
//= `items.c:state_calls`: Scalar NAME(calls), 1 x CPPC_INT
#pragma cppc register(world, world.n, s->values[s->n], (*s).n, s->corners, s->origin.x)
//= `world`: Aggregate world, 1 x struct model (item 10 of `items`)
//=   n CPPC_INT x 1, values CPPC_POINTER x 1, origin.x CPPC_DOUBLE x 1, origin.y CPPC_DOUBLE x 1, corners point x 3, name CPPC_CHAR x 16, next CPPC_POINTER x 1
//= `world.n`: Scalar world.n, 1 x CPPC_INT
//= `s->values`: Pointer s->values, s->n x CPPC_DOUBLE, sizes s->n, through a pointer
//= `(*s).n`: Scalar (*s).n, 1 x CPPC_INT, through a pointer
//= `s->corners`: Aggregate s->corners, sizeof s->corners / sizeof s->corners[0] x point, through a pointer
//=   x CPPC_DOUBLE x 1, y CPPC_DOUBLE x 1
//= `s->origin.x`: Scalar s->origin.x, 1 x CPPC_DOUBLE, through a pointer
#pragma cppc register(v, v[rows], plane, mode, record, wide, dims)
//= `v`: Aggregate v, sizeof v / sizeof v[0] x CPPC_DOUBLE (item 10 of `items`)
//= `v`: Aggregate v, rows x CPPC_DOUBLE, sizes rows
//= `plane`: Aggregate plane, sizeof plane / sizeof plane[0][0] x CPPC_DOUBLE, shape {sizeof plane / sizeof plane[0], sizeof plane[0] / sizeof plane[0][0]}
//= `mode`: Scalar mode, 1 x CPPC_UNSIGNED_INT
//= `record`: Aggregate record, 1 x __typeof__(record)
//=   head CPPC_INT x 1, body CPPC_DOUBLE x 5
//= `wide`: Scalar wide, 1 x CPPC_UNSIGNED_LONG_LONG
//= `dims`: Aggregate dims, sizeof dims / sizeof dims[0] x CPPC_INT
#pragma cppc register(lines[rows], lines[i][columns], grid[rows], grid[rows][20], (*lines)[columns])
//= `lines`: Pointer lines, rows x CPPC_POINTER, sizes rows (item 10 of `items`)
//= `lines[i]`: Pointer lines[i], columns x CPPC_DOUBLE, sizes i columns, through a pointer
//= `grid`: Pointer grid, (size_t)(rows) * (sizeof grid[0] / sizeof grid[0][0]) x CPPC_DOUBLE, shape {rows, 20}, sizes rows
//= `grid`: Pointer grid, (size_t)(rows) * (20) x CPPC_DOUBLE, shape {rows, 20}, sizes rows
//= `*lines`: Pointer (*lines), columns x CPPC_DOUBLE, sizes columns, through a pointer
#pragma cppc register(points[dims[0] * dims[1]], in[rows], title[strlen(title) + 1], pointers, pointers[2][rows])
//= `points`: Pointer points, dims[0] * dims[1] x point, sizes dims[0] dims[1] (item 10 of `items`)
//=   x CPPC_DOUBLE x 1, y CPPC_DOUBLE x 1
//= `in`: Pointer in, rows x CPPC_DOUBLE, sizes rows
//= `items.c:title`: Pointer title, strlen(title) + 1 x CPPC_CHAR
//= `pointers`: Aggregate pointers, sizeof pointers / sizeof pointers[0] x CPPC_POINTER
//= `pointers[2]`: Pointer pointers[2], rows x CPPC_DOUBLE, sizes rows
#pragma cppc register(u[ROWS*(rows + 2)], AT(u, rows), u[(size_t) rows * sizeof(int)], *u, *(u + i), (u)[3])
//= `u`: Pointer u, ROWS*(rows + 2) x CPPC_DOUBLE, sizes rows (item 10 of `items`)
//= `u`: Pointer u, rows x CPPC_DOUBLE, sizes rows
//= `u`: Pointer u, (size_t) rows * sizeof(int) x CPPC_DOUBLE, sizes rows
//= `*u`: Scalar *u, 1 x CPPC_DOUBLE, through a pointer
//= `*(u+i)`: Scalar *(u + i), 1 x CPPC_DOUBLE, sizes i, through a pointer
//= `u`: Pointer (u), 3 x CPPC_DOUBLE
#pragma cppc register(u[rows][columns], u[rows][2][i], lines[i][rows][columns], pointers[2][3][4], points[2][ROWS])
//= `u`: Pointer u, (size_t)(rows) * (size_t)(columns) x CPPC_DOUBLE, shape {rows, columns}, sizes rows columns (item 10 of `items`)
//= `u`: Pointer u, (size_t)(rows) * (2) * (size_t)(i) x CPPC_DOUBLE, shape {rows, 2, i}, sizes rows i
//= `lines[i]`: Pointer lines[i], (size_t)(rows) * (size_t)(columns) x CPPC_DOUBLE, shape {rows, columns}, sizes i rows columns, through a pointer
//= `pointers[2]`: Pointer pointers[2], (3) * (4) x CPPC_DOUBLE, shape {3, 4}
//= `points`: Pointer points, (2) * (size_t)(ROWS) x point, shape {2, ROWS}
//=   x CPPC_DOUBLE x 1, y CPPC_DOUBLE x 1
#pragma cppc register(table[2][5], table[2][3], table[rows][columns], grid[rows][columns], cube, cube[2], (*block))
//= `table`: Aggregate table, (2) * (5) x CPPC_DOUBLE, shape {2, 5} (item 10 of `items`)
//= `table`: Aggregate table, (2) * (3) x CPPC_DOUBLE
//= `table`: Aggregate table, (size_t)(rows) * (size_t)(columns) x CPPC_DOUBLE, shape {rows, 5}, sizes rows columns
//= `grid`: Pointer grid, (size_t)(rows) * (size_t)(columns) x CPPC_DOUBLE, shape {rows, 20}, sizes rows columns
//= `cube`: Aggregate cube, sizeof cube / sizeof cube[0][0][0] x CPPC_FLOAT, shape {2, 3, 4}
//= `cube`: Aggregate cube, (2) * (sizeof cube[0] / sizeof cube[0][0][0]) x CPPC_FLOAT, shape {2, 3, 4}
//= `*block`: Aggregate (*block), sizeof (*block) / sizeof (*block)[0][0] x CPPC_FLOAT, shape {6, 7}, through a pointer
    {
        int i = 0;
        static int count;
#pragma cppc register(i, count, u[i])
//= `i.2`: Scalar i, 1 x CPPC_INT (item 2 of `items`)
//= `items:count.2`: Scalar count, 1 x CPPC_INT
//= `u`: Pointer u, i x CPPC_DOUBLE, sizes i.2
        {
            long i = 0;
            if (rows)
#pragma cppc register(i)
//= `i.3`: Scalar i, 1 x CPPC_LONG (without braces of `items`)
                i++;
        }
    }
#pragma cppc execute capture(i, u, v, v[3], mode, world.n)
//= `i`: Scalar i, 1 x CPPC_INT (item 11 of `items`)
//= `u`: Scalar u, 1 x CPPC_POINTER
//= `v`: Aggregate v, sizeof v / sizeof v[0] x CPPC_DOUBLE
//= `v[3]`: Scalar v[3], 1 x CPPC_DOUBLE
//= `mode`: Scalar mode, 1 x CPPC_UNSIGNED_INT
//= `world.n`: Scalar world.n, 1 x CPPC_INT
#pragma cppc end execute
//= item 11 of `items`
#pragma cppc unregister(u, v[rows], s->values, lines[i][columns])
//= `u`: Scalar u, 1 x CPPC_POINTER (item 11 of `items`)
//= `v`: Aggregate v, rows x CPPC_DOUBLE
//= `s->values`: Scalar s->values, 1 x CPPC_POINTER
//= `lines[i]`: Pointer lines[i], columns x CPPC_DOUBLE
here:
#pragma cppc register(i, \
                      rows)
//= `i`: Scalar i, 1 x CPPC_INT (after a label of `items`)
//= `rows`: Scalar rows, 1 x CPPC_INT
    i = 0;
#pragma cccp checkpoint
//= item 12 of `items`
}
