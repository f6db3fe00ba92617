/* Calls the interface in random order, with random arguments: null pointers, invalid numbers, sizes that exceed any
 * memory, before CPPC_Init and after CPPC_Shutdown, from another thread. The calls keep the rules for callers: a
 * pointer is null or points to memory, a text ends. The first argument is the seed, the second the number of calls. */

#include "client.h"
#include <limits.h>
#include <pthread.h>
#include <stdint.h>

static unsigned long long state;
static long long numbers[32];
static double variable[256];
static int small[256];
static void *slots[64];
static int types[8] = { CPPC_INT, CPPC_DOUBLE, CPPC_CHAR, CPPC_POINTER, 1000, 1001, 55, -1 };

static unsigned pick(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned) (state >> 33) % below;
}

static const char *name(void)
{
    static const char *const all[] = { "x", "y", "rows[]", "rows[3]", "p->n", "work", "main", "", "\xff\xfe", "a%b(?)", "p", "*p" };
    unsigned which = pick(sizeof all / sizeof *all + 1);
    return which < sizeof all / sizeof *all ? all[which] : NULL;
}

static size_t count(void)
{
    static const size_t all[] = { 0, 1, 2, 3, 16, 64, (size_t) 5 << 30, SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 2 + 1 };
    return all[pick(pick(4) == 0 ? sizeof all / sizeof *all : 5)];
}

static int number(void)
{
    static const int all[] = { INT_MIN, INT_MAX, -1, 65535, 65536, 1000000 };
    return pick(5) == 0 ? all[pick(sizeof all / sizeof *all)] : (int) pick(6);
}

static int storage(void)
{
    static const int all[] = { CPPC_STATIC, CPPC_AUTOMATIC, CPPC_DYNAMIC, CPPC_STATIC | CPPC_LASTING, CPPC_AUTOMATIC | CPPC_PARAMETER, CPPC_STATIC | CPPC_CONSTANT, 0, -1, 3, 1 << 20 };
    return all[pick(sizeof all / sizeof *all)];
}

static void *memory(void)
{
    switch (pick(6)) {
    case 0: return NULL;
    case 1: return small;
    case 2: return slots;
    case 3: return numbers;
    default: return variable + pick(8);
    }
}

static void *slot(void)
{
    return pick(8) == 0 ? NULL : &slots[pick(8)];
}

static void *call(void *nothing)
{
    static const CPPC_Field fields[] = { { "a", 0, CPPC_INT, 1 }, { "b", 8, CPPC_POINTER, 1 }, { NULL, 0, CPPC_INT, 1 }, { "c", SIZE_MAX, CPPC_DOUBLE, SIZE_MAX } };
    size_t extents[4] = { count(), count(), 1, 2 };
    int type = types[pick(8)];
    void *at;
    switch (pick(39)) {
    case 0: CPPC_Identify(name()); break;
    case 1: CPPC_Enter(name(), number()); break;
    case 2: CPPC_Leave(); break;
    case 3: CPPC_Block(number()); break;
    case 4: CPPC_Register(number(), memory(), count(), type, name(), storage()); break;
    case 5: CPPC_Register_value(number(), memory(), type, name(), storage()); break;
    case 6: case 7: CPPC_Register_pointer(number(), slot(), count(), type, name(), storage()); break;
    case 8: CPPC_Shape(name(), (int) pick(6) - 1, pick(5) == 0 ? NULL : extents); break;
    case 9: CPPC_Way(name(), slot(), storage()); break;
    case 10: CPPC_Unregister(memory()); break;
    case 11: CPPC_Unregister_name(name(), memory()); break;
    case 12: case 13: case 14: case 15: CPPC_Do_checkpoint(number()); break;
    case 16: case 17: case 18: CPPC_Jump_next(); break;
    case 19: CPPC_Restarting(); break;
    case 20: CPPC_Define_type(name(), count(), (int) pick(6) - 1, pick(5) == 0 ? NULL : fields); break;
    case 21: CPPC_Wants(name()); break;
    case 22: CPPC_Replays(); break;
    case 23: CPPC_Element(name(), pick(5) == 0 ? NULL : numbers); break;
    case 24: CPPC_Execute(number()); break;
    case 25: CPPC_Call(number(), name()); break;
    case 26: at = memory(); CPPC_Capture(at, at == NULL ? count() : pick(4), type, name()); break;
    case 27: CPPC_Return(number()); break;
    case 28: CPPC_Register_saved(number(), number(), numbers, pick(4), type, name(), storage()); break;
    case 29: CPPC_Save(number(), numbers, pick(4), type); break;
    case 30: CPPC_Take(number(), numbers, pick(4), type); break;
    case 31: CPPC_Loop(number(), pick(5) == 0 ? NULL : &numbers[0], &numbers[1], &numbers[2], type); break;
    case 32: CPPC_Register_followed(number(), type, number(), numbers, pick(5) == 0 ? NULL : numbers + 16, name(), storage()); break;
    case 33: CPPC_Follow(variable, pick(3), (int) pick(3), numbers, numbers + 16, name()); break;
    case 34: CPPC_Follow_nothing(name()); break;
    case 35: CPPC_Place(name()); break;
    case 36: CPPC_File(number(), name(), name()); CPPC_File_descriptor(number(), -1); CPPC_File_stream(number(), NULL); break;
    case 38: CPPC_Fields(name(), pick(8), count(), pick(4)); break;
    case 37: slots[pick(8)] = memory(); break;
    }
    /* The bounds of a followed array are those of existing memory. */
    for (type = 0; type < 16; type++) {
        numbers[type] = 1;
        numbers[16 + type] = pick(4);
    }
    return nothing;
}

int main(int argc, char **argv)
{
    int calls = argc > 2 ? atoi(argv[2]) : 500, k;
    pthread_t thread;
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    for (k = 0; k < calls; k++) {
        if (k == calls / 10) CPPC_Init(pick(2) ? NULL : &argc, &argv);
        if (k == calls - calls / 10) CPPC_Shutdown();
        if (pick(60) == 0 && k > calls / 10) {
            pthread_create(&thread, NULL, call, NULL);
            pthread_join(thread, NULL);
        } else {
            call(NULL);
        }
    }
    printf("seed %s: %d calls\n", argc > 1 ? argv[1] : "1", calls);
    return 0;
}
