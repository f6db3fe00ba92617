#include <stdlib.h>

#include "table.h"

struct line { int key, count; struct line *next; };
struct history { struct line *first; };

struct history *history_new(void)
{
    return calloc(1, sizeof(struct history));
}

static struct line *line(const struct history *history, int key)
{
    struct line *line = history->first;
    while (line != NULL && line->key != key)
        line = line->next;
    return line;
}

void history_add(struct history *history, int key)
{
    struct line *found = line(history, key);
    if (found == NULL) {
        found = malloc(sizeof *found);
        found->key = key;
        found->count = 0;
        found->next = history->first;
        history->first = found;
    }
    found->count++;
}

int history_count(const struct history *history, int key)
{
    const struct line *found = line(history, key);
    return found == NULL ? 0 : found->count;
}
