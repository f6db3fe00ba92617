/* Makes a list or a tree of many nodes. Compares a checkpoint of it with the program's own loops.
 *
 * Arguments: `list` or `tree`, the number of nodes, and what to compare:
 * `held`: the time for which a checkpoint holds the program, and that of a copy of all nodes;
 * `dumped`: the time until the state is on the disk, and that of a serialiser which writes the nodes to a file;
 * `restored`: the time of a restart, and that of reading this file.
 * Output: two numbers of seconds. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct node {
    double value;
    struct node *left, *right;
};

static struct node *root;

/* The processor time of this thread does not depend on other work of the machine. */
static double seconds(int with_waiting)
{
    struct timespec time;
    clock_gettime(with_waiting ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static struct node *made(double value)
{
    struct node *node = calloc(1, sizeof *node);
    node->value = value;
    return node;
}

/* The nodes of a list have no left neighbour. */
static struct node *list(long count)
{
    struct node *first = NULL, **end = &first;
    for (long k = 0; k < count; k++) {
        *end = made(k);
        end = &(*end)->right;
    }
    return first;
}

static struct node *tree(long first, long last)
{
    long middle = first + (last - first) / 2;
    struct node *node;
    if (first >= last)
        return NULL;
    node = made(middle);
    node->left = tree(first, middle);
    node->right = tree(middle + 1, last);
    return node;
}

static void copy(const struct node *node, struct node *copies, long *used)
{
    for (; node; node = node->right) {
        copies[(*used)++] = *node;
        copy(node->left, copies, used);
    }
}

static void write_nodes(const struct node *node, FILE *file)
{
    for (; node; node = node->right) {
        fwrite(&node->value, sizeof node->value, 1, file);
        putc((node->left != NULL) + 2 * (node->right != NULL), file);
        if (node->left)
            write_nodes(node->left, file);
    }
}

static struct node *read_nodes(FILE *file)
{
    struct node *first = NULL, **end = &first;
    int neighbours;
    do {
        *end = made(0);
        if (fread(&(*end)->value, sizeof(double), 1, file) != 1)
            exit(1);
        neighbours = getc(file);
        if (neighbours & 1)
            (*end)->left = read_nodes(file);
        end = &(*end)->right;
    } while (neighbours & 2);
    return first;
}

static double sum(const struct node *node)
{
    double all = 0;
    for (; node; node = node->right)
        all += node->value + sum(node->left);
    return all;
}

static double copied(long count)
{
    struct node *copies = malloc(count * sizeof *copies);
    double begin = seconds(0), took;
    long used = 0;
    copy(root, copies, &used);
    took = seconds(0) - begin;
    if (used != count || copies[count / 2].value < 0)
        exit(1);
    free(copies);
    return took;
}

static double written(const char *name)
{
    double begin = seconds(1);
    FILE *file = fopen(name, "wb");
    write_nodes(root, file);
    if (fflush(file) != 0 || fsync(fileno(file)) != 0 || fclose(file) != 0)
        exit(1);
    return seconds(1) - begin;
}

static double read_again(const char *name)
{
    double begin = seconds(1), took;
    FILE *file = fopen(name, "rb");
    struct node *again = read_nodes(file);
    took = seconds(1) - begin;
    fclose(file);
    if (sum(again) != sum(root))
        exit(1);
    return took;
}

int main(int argc, char **argv)
{
    const char *kind = argv[argc - 3], *compared = argv[argc - 1];
    long count = atol(argv[argc - 2]);
    int is_held = strcmp(compared, "held") == 0, is_dumped = strcmp(compared, "dumped") == 0, step = 0;
    double start = seconds(1), begin = 0;
#pragma cppc init
#pragma cppc register(step, begin, deep(root))
    root = strcmp(kind, "list") == 0 ? list(count) : tree(0, count);
    /* The first checkpoint also gets the memory for its copy. */
    for (; step < 2; step++) {
        begin = seconds(!is_held);
#pragma cppc checkpoint
        if (step == 1)
            break;
        if (strcmp(compared, "restored") == 0) {
            begin = seconds(1) - start;
            printf("%f %f\n", begin, read_again("nodes"));
            return 0;
        }
    }
    begin = seconds(!is_held) - begin;
    printf("%f %f\n", begin, is_held ? copied(count) : is_dumped ? written("nodes") : 0);
#pragma cppc shutdown
    return 0;
}
