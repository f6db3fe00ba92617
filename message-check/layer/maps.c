/* Tables from a number to a pointer: open addressing, with a capacity that is a power of two. */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t x = a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2));
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The index of a key, or that of the free slot for it. */
static size_t slot(const struct map *map, uint64_t key)
{
    size_t index = mixed(key, 0) & (map->capacity - 1);
    while (map->values[index] && map->keys[index] != key)
        index = (index + 1) & (map->capacity - 1);
    return index;
}

static void grow(struct map *map)
{
    struct map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : 64;
    map->keys = calloc(map->capacity, sizeof *map->keys);
    map->values = calloc(map->capacity, sizeof *map->values);
    if (!map->keys || !map->values)
        abort();
    for (size_t index = 0; index < old.capacity; index++)
        if (old.values[index]) {
            size_t place = slot(map, old.keys[index]);
            map->keys[place] = old.keys[index];
            map->values[place] = old.values[index];
        }
    free(old.keys);
    free(old.values);
}

void *map_find(const struct map *map, uint64_t key)
{
    return map->used ? map->values[slot(map, key)] : NULL;
}

void map_set(struct map *map, uint64_t key, void *value)
{
    if (2 * (map->used + 1) > map->capacity)
        grow(map);
    size_t index = slot(map, key);
    if (!map->values[index])
        map->used++;
    map->keys[index] = key;
    map->values[index] = value;
}

void *map_take(struct map *map, uint64_t key)
{
    if (!map->used)
        return NULL;
    size_t hole = slot(map, key), mask = map->capacity - 1;
    void *value = map->values[hole];
    if (!value)
        return NULL;
    map->used--;
    /* The entries behind the hole move up, so that each is found from its own first slot. */
    for (size_t next = (hole + 1) & mask; map->values[next]; next = (next + 1) & mask) {
        size_t first = mixed(map->keys[next], 0) & mask;
        if (((next - first) & mask) >= ((next - hole) & mask)) {
            map->keys[hole] = map->keys[next];
            map->values[hole] = map->values[next];
            hole = next;
        }
    }
    map->values[hole] = NULL;
    return value;
}

void map_clear(struct map *map, void (*free_value)(void *))
{
    for (size_t index = 0; index < map->capacity; index++)
        if (map->values[index])
            free_value(map->values[index]);
    free(map->keys);
    free(map->values);
    memset(map, 0, sizeof *map);
}
