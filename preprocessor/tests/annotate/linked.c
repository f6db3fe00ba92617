/* Nodes that only other nodes point to are saved in graphs. */
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *name;
    double x;
};

static struct node *table[8];
static struct node *free_nodes;

static void add(int n, const char *name)
{
    struct node *node = free_nodes;
    if (node)
        free_nodes = node->next;
    else
        node = malloc(sizeof *node);
    node->name = strdup(name);
    node->x = n;
    node->next = table[n % 8];
    table[n % 8] = node;
}

static double total(void)
{
    double sum = 0;
    for (int i = 0; i < 8; i++)
        for (struct node *node = table[i]; node; node = node->next)
            sum += node->x + strlen(node->name);
    return sum;
}

int main(void)
{
    double *rows[2], sum = 0;
    for (int i = 0; i < 2; i++)
        rows[i] = calloc(10, sizeof **rows);
    for (int n = 0; n < 10; n++) {
        add(n, "node");
#pragma cppc checkpoint
        rows[n % 2][n] = total();
        sum += rows[0][n];
    }
    return sum > 0;
}
