/* What `deep` reaches and a restart could not create again. */
#include <stdio.h>
#include <stdlib.h>
struct tagged { int kind; union { double *values; long number; } of; };
struct flexible { int n; double tail[]; };
struct hidden;
struct node {
    struct node *next;
    void *data;
};
struct holder { struct tagged *tagged; };
struct owner { struct flexible *flexible; };
struct opaque { struct hidden *hidden; };
struct log { FILE *file; };
struct mixed { union { int number; double value; }; struct mixed *next; };
struct good { struct good *next; int *values; };
int main(void)
{
    struct node *list = NULL;
    struct holder holder = { NULL };
    struct owner owner = { NULL };
    struct opaque opaque = { NULL };
    struct log *log = NULL;
    struct mixed *mixed = NULL;
    struct good *good = NULL;
    int (*table)[] = NULL;
    struct hidden *hidden = NULL;
#pragma cppc init
#pragma cppc register(deep(list))
//                    ~~~~~~~~~~ error[C0437] `deep(list)` reaches `list.data`, which cannot be saved
#pragma cppc register(deep(holder))
//                    ~~~~~~~~~~~~ error[C0437] `deep(holder)` reaches `holder.tagged.of.values`, which cannot be saved
#pragma cppc register(deep(owner))
//                    ~~~~~~~~~~~ error[C0437] `deep(owner)` reaches `owner.flexible.tail`, which cannot be saved
#pragma cppc register(deep(opaque))
//                    ~~~~~~~~~~~~ error[C0437] `deep(opaque)` reaches `opaque.hidden`, which cannot be saved
#pragma cppc register(deep(log))
//                    ~~~~~~~~~ error[C0437] `deep(log)` reaches `log.file`, which cannot be saved
#pragma cppc register(deep(mixed))
//                    ~~~~~~~~~~~ error[C0437] `deep(mixed)` reaches `mixed.next`, which cannot be saved
#pragma cppc register(deep(hidden))
//                    ~~~~~~~~~~~~ error[C0437] `deep(hidden)` reaches `hidden`, which cannot be saved
#pragma cppc register(deep(good, values: int))
#pragma cppc register(deep(good, values: long))
//                    ~~~~~~~~~~~~~~~~~~~~~~~~ error[C0438] `values: …` states no type of a pointer
#pragma cppc register(deep(list, data: struct good))
#pragma cppc checkpoint
#pragma cppc shutdown
    return list == NULL && holder.tagged == NULL && owner.flexible == NULL && opaque.hidden == NULL && log == NULL &&
           mixed == NULL && good == NULL && table == NULL && hidden == NULL;
}
