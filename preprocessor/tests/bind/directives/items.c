/* Items that cannot be registered. */
#include <stdio.h>
#include <mpi.h>

#define FIELD(x) world.x
#define COUNT nn

struct incomplete;
struct defined_later;

static struct defined_later *soon;
struct flags { int on : 1; int all; };
union mixed { int i; double d; };
struct holder { union mixed m; double x; };
struct team { int size; struct { MPI_Comm comm[2]; } handles; };
struct hooks { int n; int (*before)(int); };
static struct { int unnamed; } known;
enum { constant = 3 };
typedef int number;
__thread int mine;
extern double unsized[];
extern int function(int);
const int fixed = 3;
struct { double nx, ny; } world;

void items(int count, double *values, struct incomplete *later, void *memory, int (*by)(int))
{
    int i = 0, table[10], *pointer = &i;
    register int fast = 0;
    register int slots[4];
    const double pi = 3;
    struct flags flags;
    union mixed mixed;
    struct holder holder;
    struct { int a; } local;
    MPI_Comm comm;
    MPI_Request requests[4];
    MPI_Status status;
    FILE *file;
    double small = 0;
    long long_name = 0;
    __builtin_va_list list;
    struct team team;
    struct hooks hooks;
    typedef struct { int a; } unseen;
    unseen here;

#pragma cppc register(i, fast, table, known, status)
#pragma cppc register(conut)
//                    ~~~~~ error[C0421] unknown name `conut`
#pragma cppc register(values[cuont])
//                           ~~~~~ error[C0421] unknown name `cuont`
#pragma cppc register(FIELD(nz))
//                    ~~~~~~~~~ error[C0421] unknown field `nz`
#pragma cppc register(values[COUNT])
//                    ~~~~~~~~~~~~~ error[C0421] unknown name `nn`
#pragma cppc register(nothing_like_it)
//                    ~~~~~~~~~~~~~~~ error[C0421] unknown name `nothing_like_it`
#pragma cppc register(function)
//                    ~~~~~~~~ error[C0422] `function` is a function
#pragma cppc register(constant)
//                    ~~~~~~~~ error[C0422] `constant` is an enumeration constant
#pragma cppc register(number)
//                    ~~~~~~ error[C0422] `number` is a type
#pragma cppc register(3)
//                    ~ error[C0423] `3` names no memory
#pragma cppc register(i + 1)
//                    ~~~~~ error[C0423] `i + 1` names no memory
#pragma cppc register(function(3))
//                    ~~~~~~~~~~~ error[C0423] `function(3)` names no memory
#pragma cppc register(i +)
//                    ~~~ error[C0420] `i +` is not a C expression
#pragma cppc register(&i)
//                    ~~ error[C0423] `&i` names no memory
#pragma cppc register(values)
//                    ~~~~~~ error[C0425] `values` is a pointer, and its size is not known
#pragma cppc register(pointer)
//                    ~~~~~~~ error[C0425] `pointer` is a pointer, and its size is not known
#pragma cppc register(by)
#pragma cppc register(file)
//                    ~~~~ error[C0425] `file` is a pointer, and its size is not known
#pragma cppc register(unsized)
//                    ~~~~~~~ error[C0425] the size of the array `unsized` is not known here
#pragma cppc register(*later)
//                    ~~~~~~ error[C0424] `*later` cannot be saved
#pragma cppc register(later[3])
//                    ~~~~~~~~ error[C0424] `later[3]` cannot be saved
#pragma cppc register(memory[count])
//                    ~~~~~~~~~~~~~ warning[C0440] `memory[count]` is saved as bytes, so a machine of a different architecture cannot restore it
#pragma cppc register(i[3])
//                     ~~~ error[C0426] `i[3]` has no elements to count
#pragma cppc register(values[small])
//                          ~~~~~~~ error[C0427] the size of `values` is not an integer
#pragma cppc register(values[-1])
//                          ~~~~ error[C0427] the size of `values` is negative
#pragma cppc register(table[20])
//                    ~~~~~~~~~ error[C0427] `table` has 10 elements, not 20
#pragma cppc register(table[3])
//                    ~~~~~~~~ warning[C0441] only 3 of the 10 elements of `table` are registered
#pragma cppc register(pi)
//                    ~~ error[C0428] `pi` is constant
#pragma cppc register(fixed)
//                    ~~~~~ error[C0428] `fixed` is constant
#pragma cppc register(slots)
//                    ~~~~~ error[C0429] `slots` is in a variable declared `register`
#pragma cppc register(flags.on)
//                    ~~~~~~~~ error[C0430] `flags.on` is a bit-field
#pragma cppc register(flags, mixed)
//                           ~~~~~ warning[C0440] `mixed` is saved as bytes, so a machine of a different architecture cannot restore it
#pragma cppc register(holder)
//                    ~~~~~~ warning[C0440] `holder` is saved as bytes, so a machine of a different architecture cannot restore it
#pragma cppc register(mine)
#pragma cppc register(values[i++])
//                    ~~~~~~~~~~~ error[C0432] `values[i++]` changes something when it is evaluated
#pragma cppc register(values[count = 2])
//                    ~~~~~~~~~~~~~~~~~ error[C0432] `values[count = 2]` changes something when it is evaluated
#pragma cppc register(local)
//                    ~~~~~ error[C0434] the structure of `local` has no name
#pragma cppc register(local.a)
#pragma cppc register(comm)
//                    ~~~~ error[C0433] `comm` is an MPI handle, which is not valid after a restart
#pragma cppc register(requests)
//                    ~~~~~~~~ error[C0433] `requests` is an MPI handle, which is not valid after a restart
#pragma cppc register(list)
//                    ~~~~ error[C0424] `list` cannot be saved
#pragma cppc register(lnog_name, small)
//                    ~~~~~~~~~ error[C0421] unknown name `lnog_name`
#pragma cppc register(team)
//                    ~~~~ error[C0433] the field `comm` of `team` is a handle of MPI
#pragma cppc register(hooks)
#pragma cppc register(here)
//                    ~~~~ error[C0434] the structure of `here` has no name
#pragma cppc register(team.siez)
//                         ~~~~ error[C0421] unknown field `siez`
#pragma cppc unregister(valeus)
//                      ~~~~~~ error[C0421] unknown name `valeus`
#pragma cppc execute capture(comm, i)
//                           ~~~~ error[C0433] `comm` is an MPI handle, which is not valid after a restart
#pragma cppc end execute
#pragma cppc register(*soon)
//                    ~~~~~ error[C0424] `*soon` cannot be saved
#pragma cppc register(soon[])
//                    ~~~~~~ error[C0424] `soon[]` cannot be saved
#pragma cppc register(deep(soon))
}

struct defined_later {
    double value;
};

void after_definition(void)
{
#pragma cppc register(*soon)
}
