/* Typical memory of programs: swapped buffers, aliases, pointers into the middle, arrays of
 * pointers, a list, a structure with pointers, a global array with a pointer to it, empty registers, null
 * pointers, memory that grows. */

#include "client.h"

struct node { int value; struct node *next; double weight[2]; };
struct pair { double *first; int count; char tag[3]; double *last; };

static double grid[32];
static double *inside = &grid[5];
static struct node *head;
static struct pair pair;

int main(int argc, char **argv)
{
    struct {
        double *a, *b, *middle, *rows_data, *nothing, *grown;
        double **rows;
        struct node *nodes;
        int i; int grown_size;
    } cppc;
    double *a = NULL, *b = NULL, *t, *middle = NULL, *rows_data = NULL, *nothing = NULL, *grown = NULL;
    double **rows = NULL;
    struct node *nodes = NULL, *at;
    double sum = 0;
    int i = 0, j, n = 10, grown_size = 1, type;
    static const CPPC_Field node_fields[] = {
        { "value", offsetof(struct node, value), CPPC_INT, 1 },
        { "next", offsetof(struct node, next), CPPC_POINTER, 1 },
        { "weight", offsetof(struct node, weight), CPPC_DOUBLE, 2 },
    };
    static const CPPC_Field pair_fields[] = {
        { "first", offsetof(struct pair, first), CPPC_POINTER, 1 },
        { "count", offsetof(struct pair, count), CPPC_INT, 1 },
        { "tag", offsetof(struct pair, tag), CPPC_CHAR, 3 },
        { "last", offsetof(struct pair, last), CPPC_POINTER, 1 },
    };
    int cppc_next = CPPC_Enter("main", 4);
cppc_jump:
    switch (cppc_next) {
    case 2: goto cppc_2;
    case 3: goto cppc_3;
    case 4: goto cppc_4;
    case 5: goto cppc_exit;
    }
    CPPC_Init(&argc, &argv);
    JUMP;
    a = malloc(n * sizeof *a);
    b = malloc(n * sizeof *b);
    rows_data = malloc(12 * sizeof *rows_data);
    rows = malloc(3 * sizeof *rows);
    nodes = malloc(5 * sizeof *nodes);
    grown = malloc(sizeof *grown);
    grown[0] = 1;
    for (j = 0; j < n; j++) { a[j] = j; b[j] = -j; }
    for (j = 0; j < 12; j++) rows_data[j] = j * 0.5;
    for (j = 0; j < 3; j++) rows[j] = rows_data + 4 * ((j + 1) % 3);
    for (j = 0; j < 5; j++) { nodes[j].value = j; nodes[j].next = j ? &nodes[j - 1] : NULL; nodes[j].weight[0] = nodes[j].weight[1] = j; }
    for (j = 0; j < 32; j++) grid[j] = j * j;
    head = &nodes[4];
    middle = a + 4;
    pair.first = grid; pair.count = 32; memcpy(pair.tag, "ab", 3); pair.last = grid + 32;
cppc_2:
    type = CPPC_Define_type("node", sizeof(struct node), 3, node_fields);
    CPPC_Block(2);
    cppc.i = i;
    CPPC_Register(0, &cppc.i, 1, CPPC_INT, "i", CPPC_AUTOMATIC);
    i = cppc.i;
    cppc.grown_size = grown_size;
    CPPC_Register(0, &cppc.grown_size, 1, CPPC_INT, "grown_size", CPPC_AUTOMATIC);
    grown_size = cppc.grown_size;
    /* The pointers are registered first here, and their targets later. */
    CPPC_Register_pointer(0, &inside, 1, CPPC_DOUBLE, "inside", CPPC_STATIC);
    cppc.middle = middle;
    CPPC_Register_pointer(0, &cppc.middle, 2, CPPC_DOUBLE, "middle", CPPC_AUTOMATIC);
    middle = cppc.middle;
    cppc.a = a;
    CPPC_Register_pointer(0, &cppc.a, n, CPPC_DOUBLE, "a", CPPC_AUTOMATIC);
    a = cppc.a;
    cppc.b = b;
    CPPC_Register_pointer(0, &cppc.b, n, CPPC_DOUBLE, "b", CPPC_AUTOMATIC);
    b = cppc.b;
    cppc.nothing = nothing;
    CPPC_Register_pointer(0, &cppc.nothing, 0, CPPC_DOUBLE, "nothing", CPPC_AUTOMATIC);
    nothing = cppc.nothing;
    CPPC_Register_pointer(0, &head, 1, type, "head", CPPC_STATIC);
    cppc.rows = rows;
    CPPC_Register_pointer(0, &cppc.rows, 3, CPPC_POINTER, "rows", CPPC_AUTOMATIC);
    rows = cppc.rows;
    cppc.rows_data = rows_data;
    CPPC_Register_pointer(0, &cppc.rows_data, 12, CPPC_DOUBLE, "rows_data", CPPC_AUTOMATIC);
    rows_data = cppc.rows_data;
    cppc.nodes = nodes;
    CPPC_Register_pointer(0, &cppc.nodes, 5, type, "nodes", CPPC_AUTOMATIC);
    nodes = cppc.nodes;
    CPPC_Register(0, &pair, 1, CPPC_Define_type("pair", sizeof pair, 4, pair_fields), "pair", CPPC_STATIC);
    CPPC_Register(0, grid, 32, CPPC_DOUBLE, "grid", CPPC_STATIC);
    JUMP;
    for (i = 0; i < 8; i++) {
cppc_3:
        CPPC_Block(3);
        cppc.grown_size = grown_size;
        cppc.grown = grown;
        CPPC_Register_pointer(0, &cppc.grown, grown_size, CPPC_DOUBLE, "grown", CPPC_AUTOMATIC);
        grown = cppc.grown;
        JUMP;
cppc_4:
        cppc.i = i; cppc.grown_size = grown_size; cppc.a = a; cppc.b = b; cppc.middle = middle; cppc.rows_data = rows_data;
        cppc.nothing = nothing; cppc.grown = grown; cppc.rows = rows; cppc.nodes = nodes;
        if (CPPC_Do_checkpoint(4)) {
            i = cppc.i; grown_size = cppc.grown_size; a = cppc.a; b = cppc.b; middle = cppc.middle; rows_data = cppc.rows_data;
            nothing = cppc.nothing; grown = cppc.grown; rows = cppc.rows; nodes = cppc.nodes;
        } else maybe_die();
        JUMP;
        for (j = 0; j < n; j++) b[j] = a[j] * 0.5 + a[(j + 1) % n] + *inside;
        t = a; a = b; b = t;
        *middle += 1;
        middle = (i % 2 ? a : b) + i % 3;
        inside = &grid[(7 * i) % 32];
        rows[i % 3][i % 4] += 10;
        t = rows[0]; rows[0] = rows[1]; rows[1] = t;
        for (at = head; at != NULL; at = at->next) at->weight[i % 2] += at->value;
        head = &nodes[i % 5];
        pair.first[i] = -i; pair.last[-1] += 1;
        if (i % 2 == 0) nothing = NULL;
        grown_size++;
        grown = realloc(grown, grown_size * sizeof *grown);
        grown[grown_size - 1] = i * 1.5;
    }
    for (j = 0; j < n; j++) sum += a[j] * (j + 1) - b[j];
    printf("%a %a %a %d\n", sum, *middle, *inside, nothing == NULL);
    for (j = 0; j < 12; j++) printf("%a ", rows[j / 4][j % 4]);
    for (j = 0; j < 5; j++) printf("%a %a ", nodes[j].weight[0], nodes[j].weight[1]);
    for (j = 0; j < 32; j++) printf("%g ", grid[j]);
    for (j = 0; j < grown_size; j++) printf("%g ", grown[j]);
    printf("%d %d %s\n", head->value, pair.count, pair.tag);
    free(a); free(b); free(rows); free(rows_data); free(nodes); free(grown);
    CPPC_Shutdown();
    goto cppc_exit;
cppc_exit:
    CPPC_Leave();
    return 0;
}
