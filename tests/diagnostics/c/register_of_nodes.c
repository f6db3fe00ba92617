/* What a loop walks through is one register: only the node that it ends with stays. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next, *children[2];
};

struct pool {
    struct node *nodes;
    int count;
};

int main(void)
{
    struct node *head = NULL, *p;
    struct pool pool = {NULL, 0};
    int i;
#pragma cppc init
    for (i = 0; i < 3; i++) {
        p = malloc(sizeof *p);
        p->next = head;
        head = p;
#pragma cppc register(*p)
//                    ~~ warning[C0443] only the last `*p` of this loop stays registered
    }
    for (p = head; p != NULL; p = p->next) {
#pragma cppc register((*p))
//                    ~~~~ warning[C0443] only the last `(*p)` of this loop stays registered
    }
    while (pool.count < 9) {
        pool.nodes = realloc(pool.nodes, (pool.count += 3) * sizeof *pool.nodes);
#pragma cppc register(pool, pool.nodes[pool.count])
    }
#pragma cppc register(*head, i)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        p = head;
    }
#pragma cppc shutdown
    return p->value;
}
