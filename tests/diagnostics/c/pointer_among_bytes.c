/* Unions are saved as bytes: a pointer in them would lead nowhere. Structures with bit-fields are described. */
#include <stdlib.h>

struct box {
    int is_list;
    union {
        double *list;
        long number;
    } content;
};

struct node {
    unsigned is_leaf : 1;
    struct node *next[2];
};

struct pair {
    struct node first;
    double weight;
};

int main(void)
{
    static struct box box;
    static struct node node;
    static struct pair pairs[3];
#pragma cppc init
#pragma cppc register(box)
//                    ~~~ error[C0435] the field `list` of `box` is a pointer in data that is saved as bytes
#pragma cppc register(node, box.is_list)
#pragma cppc register(pairs)
#pragma cppc checkpoint
#pragma cppc shutdown
    return box.is_list + (node.next[0] != NULL) + (pairs[0].weight > 0);
}
