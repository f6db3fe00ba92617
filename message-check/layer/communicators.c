/*
 * Communicators.
 *
 * The handle of a communicator differs from process to process. Its number here is the same on all its processes: it
 * is computed from the ranks of its members and from how many communicators with these members were made before.
 * Every member takes part in making a communicator, so all of them count the same.
 */
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct map communicators, counts;
static MPI_Comm latest_handle;
static struct communicator *latest;

int world_rank(void)
{
    static int rank = -1;
    if (rank < 0)
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int world_size(void)
{
    static int size;
    if (!size)
        PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/* The ranks in MPI_COMM_WORLD of a group, which is freed. Processes outside have the rank -1. */
static int *world_ranks(MPI_Group group, int *size)
{
    MPI_Group world;
    PMPI_Group_size(group, size);
    int *own = malloc(((size_t)*size + 1) * sizeof *own), *ranks = malloc(((size_t)*size + 1) * sizeof *ranks);
    if (!own || !ranks)
        abort();
    for (int rank = 0; rank < *size; rank++)
        own[rank] = rank;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, *size, own, world, ranks);
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    for (int rank = 0; rank < *size; rank++)
        if (ranks[rank] == MPI_UNDEFINED)
            ranks[rank] = -1;
    free(own);
    return ranks;
}

static uint64_t digest(const int *ranks, int size)
{
    uint64_t digest = mixed((uint64_t)size, 1);
    for (int rank = 0; rank < size; rank++)
        digest = mixed(digest, (uint64_t)(ranks[rank] + 1));
    return digest;
}

/* The digest of the members. Stores the group to which messages are sent. */
static uint64_t members(MPI_Comm handle, int **ranks, int *size)
{
    MPI_Group group;
    int is_inter, local_size;
    PMPI_Comm_group(handle, &group);
    int *local = world_ranks(group, &local_size);
    uint64_t own = digest(local, local_size);
    PMPI_Comm_test_inter(handle, &is_inter);
    if (!is_inter) {
        *ranks = local;
        *size = local_size;
        return own;
    }
    free(local);
    PMPI_Comm_remote_group(handle, &group);
    *ranks = world_ranks(group, size);
    /* The same on both sides. */
    return mixed(own + digest(*ranks, *size), 2);
}

static struct reserved reserve(uint64_t group)
{
    uintptr_t number = (uintptr_t)map_find(&counts, group) + 1;
    map_set(&counts, group, (void *)number);
    return (struct reserved){group, number};
}

struct reserved communicator_reserve(MPI_Comm parent)
{
    int *ranks, size;
    uint64_t group = members(parent, &ranks, &size);
    free(ranks);
    return reserve(group);
}

static struct communicator *remember(MPI_Comm handle, const struct reserved *reserved)
{
    struct communicator *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    uint64_t group = members(handle, &made->world, &made->size);
    int is_predefined = handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF, length = 0;
    char name[MPI_MAX_OBJECT_NAME + 1] = "";
    struct reserved number = {group, 0};
    if (reserved)
        number = *reserved;
    else if (!is_predefined)
        number = reserve(group);
    made->id = mixed(number.group, number.number);
    made->references = 1;
    PMPI_Comm_get_name(handle, name, &length);
    if (name[0])
        snprintf(made->name, sizeof made->name, "%.*s", (int)sizeof made->name - 1, name);
    else
        snprintf(made->name, sizeof made->name, "a communicator of %d processes", made->size);
    communicator_freed(handle);
    map_set(&communicators, KEY(handle), made);
    return made;
}

struct communicator *communicator_of(MPI_Comm handle)
{
    if (latest && latest_handle == handle)
        return latest;
    struct communicator *found = map_find(&communicators, KEY(handle));
    if (!found)
        found = remember(handle, NULL);
    latest_handle = handle;
    latest = found;
    return found;
}

void communicator_created(MPI_Comm handle)
{
    if (handle != MPI_COMM_NULL)
        remember(handle, NULL);
}

void communicator_created_as(MPI_Comm handle, struct reserved reserved)
{
    if (handle != MPI_COMM_NULL)
        remember(handle, &reserved);
}

void communicator_freed(MPI_Comm handle)
{
    struct communicator *freed = map_take(&communicators, KEY(handle));
    if (freed && freed == latest)
        latest = NULL;
    communicator_release(freed);
}

int communicator_is_own(MPI_Comm handle)
{
    return communicator_of(handle)->is_own;
}

void communicator_release(struct communicator *communicator)
{
    if (communicator && !--communicator->references) {
        free(communicator->world);
        free(communicator);
    }
}
