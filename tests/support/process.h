/* What the objects that kill a program under test (killer.c, ticks.c, failing_calls.c) know of its process. */
#include <stdio.h>
#include <stdlib.h>

/* The number of this process as text, as the launcher of any MPI gives it; null without one. */
static inline const char *rank_text(void)
{
    const char *names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    size_t k;
    for (k = 0; k < sizeof names / sizeof names[0]; k++)
        if (getenv(names[k]) != NULL)
            return getenv(names[k]);
    return NULL;
}

static inline int own_rank(void)
{
    const char *text = rank_text();
    return text == NULL ? 0 : atoi(text);
}

/* Sends standard output to DIR/out.RANK, where `variable` names DIR. */
static inline void redirect_output(const char *variable)
{
    const char *directory = getenv(variable);
    char path[4096];

    if (directory == NULL)
        return;
    snprintf(path, sizeof path, "%s/out.%d", directory, own_rank());
    if (freopen(path, "w", stdout) == NULL)
        abort();
}
