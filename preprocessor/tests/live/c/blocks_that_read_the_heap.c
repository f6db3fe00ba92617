/* Blocks that read memory of the heap. `changed` is used again for other values, `freed` and its pointer are not saved, and `gone` is of a
 * procedure that has returned. `same` is registered and keeps its values. `own` is filled in a block.
 * reports: *changed, freed, gone
 */
#include <stdlib.h>

typedef struct datatype *MPI_Datatype;
extern MPI_Datatype number;
int MPI_Type_create_indexed_block(int, int, const int *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_size(MPI_Datatype, int *);

static void make(MPI_Datatype *type)
{
    int *gone = malloc(2 * sizeof *gone);
    gone[0] = 1;
    gone[1] = 4;
#pragma cppc execute
    MPI_Type_create_indexed_block(2, 1, gone, number, type);
#pragma cppc end execute
    free(gone);
}

int main(void)
{
    int i, size, sum = 0, *changed, *freed, *same, *own;
    MPI_Datatype a, b, c, d, e;
#pragma cppc init
    changed = malloc(2 * sizeof *changed);
#pragma cppc register(changed[2])
    same = malloc(2 * sizeof *same);
#pragma cppc register(same[2])
    freed = malloc(2 * sizeof *freed);
    changed[0] = same[0] = freed[0] = 1;
    changed[1] = same[1] = freed[1] = 4;
#pragma cppc execute
    MPI_Type_create_indexed_block(2, 1, changed, number, &a);
#pragma cppc end execute
#pragma cppc execute
    MPI_Type_create_indexed_block(2, 1, same, number, &b);
#pragma cppc end execute
#pragma cppc execute
    MPI_Type_create_indexed_block(2, 1, freed, number, &c);
#pragma cppc end execute
#pragma cppc execute
    own = malloc(2 * sizeof *own);
    own[0] = 1;
    own[1] = 4;
    MPI_Type_create_indexed_block(2, 1, own, number, &d);
    free(own);
#pragma cppc end execute
    free(freed);
    make(&e);
#pragma cppc register(i, sum)
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        MPI_Type_size(a, &size);
        sum += size + changed[0] + same[0];
        MPI_Type_size(b, &size);
        sum += size;
        MPI_Type_size(c, &size);
        sum += size;
        MPI_Type_size(d, &size);
        sum += size;
        MPI_Type_size(e, &size);
        sum += size;
        changed[0] = i;
    }
#pragma cppc shutdown
    return sum;
}
