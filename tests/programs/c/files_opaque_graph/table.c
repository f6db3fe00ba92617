#include "table.h"

#include <stdlib.h>

enum { BUCKETS = 4 };

struct entry { int key; void *value; struct entry *next; };
struct table { struct owner *owner; struct entry **buckets; struct history *keys; };

struct table *table_new(struct owner *owner)
{
    struct table *table = malloc(sizeof *table);
    table->owner = owner;
    table->buckets = calloc(BUCKETS, sizeof *table->buckets);
    table->keys = owner->history;
    return table;
}

void table_put(struct table *table, int key, void *value)
{
    struct entry *entry = malloc(sizeof *entry);
    entry->key = key;
    entry->value = value;
    entry->next = table->buckets[key % BUCKETS];
    table->buckets[key % BUCKETS] = entry;
    history_add(table->keys, key);
}

void *table_get(struct table *table, int key)
{
    struct entry *entry = table->buckets[key % BUCKETS];
    table->owner->calls++;
    while (entry != NULL && entry->key != key)
        entry = entry->next;
    return entry == NULL ? NULL : entry->value;
}
