/* A table whose structure only its own file knows. It counts its calls in the structure of its owner, which it knows. */
#ifndef TABLE_H
#define TABLE_H

struct table;
struct owner { int calls; struct table *table; struct history *history; };

struct table *table_new(struct owner *owner);
void table_put(struct table *table, int key, void *value);
void *table_get(struct table *table, int key);

/* Only its own file knows this structure too. */
struct history *history_new(void);
void history_add(struct history *history, int key);
int history_count(const struct history *history, int key);

#endif
