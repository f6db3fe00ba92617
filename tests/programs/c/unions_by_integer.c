/* Exercises: unions whose member is selected by an integer: next to the union, a bit-field, a variable; named by values;
 * anonymous; empty; in the elements of an array that a pointer points to, and in a graph. */
#include "check.h"
#include <stdlib.h>

enum kind { WHOLE, REAL, WORD };

struct item {
    enum kind kind;
    union {
        long whole;
        double real;
        char word[8];
    } value;
};

struct event {
    unsigned type : 4;
    union {
        struct { short x, y; } click;
        float pressure;
    };
    struct item detail;
};

struct node {
    struct node *next;
    int tag;
    union {
        long count;
        double part[2];
    } data;
};

union number {
    long long whole;
    double real;
};

static union number global;
static char global_kind = 'i';

static struct node *push(struct node *head, int i)
{
    struct node *node = calloc(1, sizeof *node);
    node->next = head;
    node->tag = i % 2 ? 7 : -1;
    if (i % 2)
        node->data.part[1] = i * 0.25;
    else
        node->data.count = i * 100003L;
    return node;
}

int main(void)
{
    struct item items[4] = { { WHOLE, { 1 } }, { WHOLE, { 2 } }, { WORD, { .word = "abc" } }, { WHOLE, { 4 } } };
    struct event *events;
    struct node *head = NULL;
    union number local;
    int local_kind = 1, i;
    local.real = 0.5;
#pragma cppc init
    events = calloc(3, sizeof *events);
#pragma cppc register(i, local_kind, global_kind, items, by(kind))
#pragma cppc register(events[3], by(type: 1 = click, 2 = pressure, 0 =), by(value, kind))
#pragma cppc register(local, by(local_kind), global, by(global_kind: 'i' = whole, 'r' = real))
#pragma cppc register(deep(head, data: by(tag: -1 = count, 7 = part)))
    for (i = 0; i < 9; i++) {
#pragma cppc checkpoint
        struct event *event = &events[i % 3];
        struct node *node;
        double sum = 0;
        if (items[i % 4].kind == WHOLE) {
            items[i % 4].kind = REAL;
            items[i % 4].value.real = i * 1.5;
        } else {
            items[i % 4].kind = WHOLE;
            items[i % 4].value.whole = -i * 1000L;
        }
        event->type = i % 2 + 1;
        if (event->type == 1) {
            event->click.x = (short) i;
            event->click.y = (short) -i;
        } else
            event->pressure = i / 4.0f;
        event->detail = items[(i + 1) % 4];
        if (local_kind == 1)
            local.whole = (long long) (local.real * 10);
        else
            local.real = (double) local.whole / 7;
        local_kind = !local_kind;
        if (global_kind == 'i')
            global.real = (double) global.whole + 0.25;
        else
            global.whole = (long long) global.real + i;
        global_kind = global_kind == 'i' ? 'r' : 'i';
        head = push(head, i);
        for (node = head; node; node = node->next)
            sum += node->tag == 7 ? node->data.part[1] : (double) node->data.count;
        printf("%d %d %g %g %d %g %g\n", i, items[i % 4].kind,
               items[1].kind == REAL ? items[1].value.real : (double) items[1].value.whole,
               events[0].type == 2 ? events[0].pressure : events[0].click.y, items[2].value.word[0],
               local_kind == 1 ? local.real : (double) local.whole, sum);
        printf("%g\n", global_kind == 'r' ? global.real : (double) global.whole);
    }
#pragma cppc shutdown
    return 0;
}
