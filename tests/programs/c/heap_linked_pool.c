/* Exercises: linked structures in a registered pool: lists and a tree whose nodes point at one
 * another, changed while the program runs, with head pointers into the pool. */
#include <stdlib.h>

#include "check.h"

#define ROOM 64

typedef struct node {
    int key;
    double weight;
    struct node *left, *right, *next;
} Node;

static Node *pool;
static int used;

static Node *fresh(int key)
{
    Node *node = &pool[used++];
    node->key = key;
    node->weight = key * 0.01;
    node->left = node->right = node->next = NULL;
    return node;
}

static void insert(Node **place, Node *node)
{
    while (*place != NULL)
        place = node->key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = node;
}

static double walk(const Node *node, double weight)
{
    if (node == NULL)
        return weight;
    weight = walk(node->left, weight) * 1.001 + node->key;
    return walk(node->right, weight);
}

int main(void)
{
    Node *root = NULL, *first = NULL, *node;
    unsigned seed = 12345;
    int i, k;

#pragma cppc init
    pool = calloc(ROOM, sizeof *pool);
#pragma cppc register(i, seed, used, pool[ROOM])
    for (i = 0; i < 8; i++) {
#pragma cppc register(root[1], first[1])
#pragma cppc checkpoint
        for (k = 0; k < 6; k++) {
            seed = seed * 1103515245u + 12345u;
            node = fresh((int)(seed >> 16) % 1000);
            insert(&root, node);
            if (node->key % 2) {
                node->next = first;
                first = node;
            }
        }
        for (k = 0, node = first; node != NULL; node = node->next)
            k += node->key;
        printf("%d %d %.17g %d\n", i, used, walk(root, 1.0), k);
    }
    free(pool);
#pragma cppc shutdown
    return 0;
}
