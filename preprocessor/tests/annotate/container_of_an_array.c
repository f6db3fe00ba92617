/* The structure is reached from the address of an array in it, so all of it is saved. */
#include <stdio.h>
#include <stddef.h>

struct rec {
    int id;
    void *links[2];
    int val;
};

#define OF(l) ((struct rec *)((char *)(l) - offsetof(struct rec, links)))

static struct rec rec;
static void *head;

int main(int argc, char **argv)
{
    int i;
    rec.val = 7 + argc;
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        rec.links[0] = rec.links[1] = NULL;
        head = rec.links;
        printf("%d %d\n", i, OF(head)->val);
    }
    return argv == NULL;
}
