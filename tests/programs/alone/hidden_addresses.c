/* Exercises: graphs with addresses where no pointer is declared. The checkpoint is skipped, except where the user has
 * stated the type. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape { int kind, size, colour; };
struct node {
    struct node *next;
    char name[24];
    long key;
    long *numbers;
    long *stated;
    char *bytes;
    double *reals;
    struct shape *shape;
};

static int marks[2];

static void put(void *where, const void *address)
{
    memcpy(where, &address, sizeof address);
}

static void clear(struct node *head)
{
    head->next->key = 0;
    memset(head->next->name, 0, sizeof head->next->name);
    memset(head->numbers, 0, 100 * sizeof *head->numbers);
    memset(head->stated, 0, 100 * sizeof *head->stated);
    memset(head->bytes, 0, 100);
    memset(head->reals, 0, 5000 * sizeof *head->reals);
    memset(head->shape, 0, 4 * sizeof *head->shape);
}

int main(void)
{
    struct node *head;
    int step, i;
#pragma cppc init
    head = calloc(1, sizeof *head);
    head->next = calloc(1, sizeof *head);
    head->numbers = calloc(100, sizeof *head->numbers);
    head->stated = calloc(100, sizeof *head->stated);
    head->bytes = calloc(100, 1);
    head->reals = calloc(5000, sizeof *head->reals);
    head->shape = calloc(4, sizeof *head->shape);
#pragma cppc register(step, deep(head, stated: long))
    for (step = 0; step < 14; step++) {
        clear(head);
        if (step == 1) put(&head->numbers[90], head->reals);
        if (step == 2) put(&head->bytes[16], head->numbers);
        if (step == 3) put(&head->next->key, head->next);
        if (step == 4) put(&head->reals[4999], &head->reals[7]);
        if (step == 5) put(&head->shape[2], head);
        if (step == 6) put(&head->next->name[0], head);
        if (step == 7) put(&head->numbers[1], &marks[1]);
        if (step == 8) put(&head->numbers[2], "a text");
        if (step == 9) put(&head->numbers[3], (const void *)free);
        if (step == 10) put(&head->stated[3], head);
        if (step == 11) {
            strcpy(head->next->name, "short");
            put(&head->next->name[16], head);
        }
        if (step == 12)
            for (i = 0; i < 100; i++)
                head->numbers[i] = i * 4096L * 1000 * 1000;
#pragma cppc checkpoint
        printf("%d %d\n", step, marks[1]);
    }
#pragma cppc shutdown
    return 0;
}
