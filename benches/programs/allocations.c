/* Makes a list of 10^6 small allocations and frees it, several times. */

#include <stdlib.h>

struct node {
    struct node *next;
    long values[3];
};

int main(void)
{
    long rounds = 10, count = 1000000, k, sum = 0;
    struct node *head = NULL, *next;
#pragma cppc init
#pragma cppc register(rounds)
    for (; rounds > 0; rounds--) {
#pragma cppc checkpoint
        for (k = 0; k < count; k++) {
            struct node *node = malloc(sizeof *node);
            node->next = head;
            node->values[0] = k;
            head = node;
        }
        for (; head; head = next) {
            next = head->next;
            sum += head->values[0];
            free(head);
        }
    }
#pragma cppc shutdown
    return sum != 10 * (count * (count - 1) / 2);
}
