/* Kills the program under test at a chosen point, without a change to it.
 *
 * The linker's --wrap sends the program's calls of the runtime through here, where they are counted.
 * What is to be done comes from the environment:
 *
 *   KILLER_OUT=DIR         standard output goes to DIR/out.RANK
 *   KILLER_TRACE=DIR       what happened is noted in DIR/trace.RANK
 *   KILLER_ORDER=checkpoint:N    every process dies after its N-th checkpoint has returned; those of
 *                                  an MPI program wait for each other first
 *   KILLER_ORDER=event:N:RANK    that process dies right before its N-th call of the runtime
 *
 * The trace has a line `checkpoint N EVENT OFFSET` for each checkpoint that returned: how many calls
 * of the runtime there had been, and how long the standard output was; `init EVENT`; `shutdown EVENT`;
 * `killed` as its last line if the process has killed itself. A launcher may report another signal: that
 * of a process which lost its connection to the killed one.
 *
 * Before the program starts, its memory is filled, and after `init` the stack again (garbage.h).
 */
#include <signal.h>
#include <unistd.h>

#include <cppc.h>

#include "garbage.h"
#include "process.h"

#ifdef KILLER_MPI
#include <mpi.h>
#endif

#ifdef KILLER_FORTRAN
void killer_flush(void);
#endif

static FILE *trace;
/* `depth` is above one in calls that the runtime makes of itself, which do not count. */
static long events, checkpoints, depth;
static long kill_checkpoint = -1, kill_event = -1;

__attribute__((constructor)) static void read_orders(void)
{
    const char *directory, *order = getenv("KILLER_ORDER");
    char path[4096];
    int rank = own_rank(), victim = 0;

    redirect_output("KILLER_OUT");
    if ((directory = getenv("KILLER_TRACE")) != NULL) {
        snprintf(path, sizeof path, "%s/trace.%d", directory, rank);
        if ((trace = fopen(path, "w")) == NULL)
            abort();
        setvbuf(trace, NULL, _IONBF, 0);
    }
    if (order != NULL && sscanf(order, "checkpoint:%ld", &kill_checkpoint) != 1 &&
        (sscanf(order, "event:%ld:%d", &kill_event, &victim) != 2 || victim != rank))
        kill_event = -1;
}

static void die(void)
{
    fflush(stdout);
    if (trace != NULL)
        fprintf(trace, "killed\n");
    raise(SIGKILL);
}

static void begin(void)
{
    if (depth++ == 0 && ++events == kill_event)
        die();
}

static void end(void)
{
    depth--;
}

/* How much has been printed. */
static long offset(void)
{
    fflush(stdout);
#ifdef KILLER_FORTRAN
    killer_flush();
#endif
    return (long)lseek(STDOUT_FILENO, 0, SEEK_CUR);
}

static void checkpoint_has_returned(void)
{
    if (depth > 0)
        return;
    checkpoints++;
    if (trace != NULL) {
        long printed = offset();
        fprintf(trace, "checkpoint %ld %ld %ld\n", checkpoints, events, printed);
    }
    if (checkpoints == kill_checkpoint) {
#ifdef KILLER_MPI
        MPI_Barrier(MPI_COMM_WORLD);
#endif
        die();
    }
}

static void note(const char *what)
{
    if (depth == 0 && trace != NULL)
        fprintf(trace, "%s %ld\n", what, events);
}

#define WRAP_AND(type, name, parameters, arguments, then)                                          \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        type result;                                                                               \
        begin();                                                                                   \
        result = __real_##name arguments;                                                          \
        end();                                                                                     \
        then;                                                                                      \
        return result;                                                                             \
    }
#define WRAP_NOTHING_AND(name, parameters, arguments, then)                                        \
    void __real_##name parameters;                                                                 \
    void __wrap_##name parameters;                                                                 \
    void __wrap_##name parameters                                                                  \
    {                                                                                              \
        begin();                                                                                   \
        __real_##name arguments;                                                                   \
        end();                                                                                     \
        then;                                                                                      \
    }
#define WRAP_NOTHING(name, parameters, arguments) WRAP_NOTHING_AND(name, parameters, arguments, (void)0)
#define WRAP(type, name, parameters, arguments) WRAP_AND(type, name, parameters, arguments, (void)0)

WRAP_AND(int, CPPC_Init, (int *argc, char ***argv), (argc, argv), (note("init"), fill_stack()))
WRAP_AND(int, CPPC_Shutdown, (void), (), note("shutdown"))
WRAP_AND(int, CPPC_Do_checkpoint, (int id), (id), checkpoint_has_returned())
WRAP_AND(int, CPPC_Do_checkpoint_at, (int id, const char *place), (id, place), checkpoint_has_returned())
WRAP(int, CPPC_Enter, (const char *procedure, int blocks), (procedure, blocks))
WRAP(int, CPPC_Block, (int block), (block))
WRAP(int, CPPC_Execute, (int block), (block))
WRAP(int, CPPC_Call, (int block, const char *callee), (block, callee))
WRAP(int, CPPC_Return, (int block), (block))
WRAP(int, CPPC_Jump_next, (void), ())
WRAP_NOTHING(CPPC_File, (int file, const char *name, const char *handle), (file, name, handle))
WRAP_NOTHING(CPPC_File_stream, (int file, void *stream), (file, stream))
WRAP_NOTHING(CPPC_File_descriptor, (int file, int descriptor), (file, descriptor))
WRAP(void *, CPPC_Register,
     (int section, void *address, size_t count, int type, const char *name, int storage),
     (section, address, count, type, name, storage))
WRAP(int, CPPC_Register_value,
     (int section, void *address, int type, const char *name, int storage),
     (section, address, type, name, storage))
WRAP(void *, CPPC_Register_pointer,
     (int section, void *slot, size_t count, int type, const char *name, int storage),
     (section, slot, count, type, name, storage))

#ifdef KILLER_FORTRAN
/* By reference, and with the length of a text at the end. What a subroutine returns is nobody's concern. */
WRAP_AND(int, cppc_init_, (void), (), (note("init"), fill_stack()))
WRAP_AND(int, cppc_shutdown_, (void), (), note("shutdown"))
WRAP_AND(int, cppc_do_checkpoint_, (const int *id), (id), checkpoint_has_returned())
WRAP_AND(int, cppc_do_checkpoint_at_, (const int *id, const char *place, size_t length), (id, place, length), checkpoint_has_returned())
WRAP_NOTHING_AND(cppc_checkpoint_at_, (const int *id, const char *place, size_t length), (id, place, length), checkpoint_has_returned())
WRAP(int, cppc_enter_, (const char *procedure, const int *blocks, size_t length),
     (procedure, blocks, length))
WRAP(int, cppc_block_, (const int *block), (block))
WRAP(int, cppc_execute_, (const int *block), (block))
WRAP(int, cppc_call_, (const int *block, const char *callee, size_t length), (block, callee, length))
WRAP(int, cppc_return_, (const int *block), (block))
WRAP_NOTHING(cppc_begin_execute_, (const int *block), (block))
WRAP_NOTHING(cppc_begin_call_, (const int *block, const char *callee, size_t length), (block, callee, length))
WRAP_NOTHING(cppc_end_call_, (const int *block), (block))
WRAP(int, cppc_jump_next_, (void), ())
WRAP_NOTHING(cppc_file_,
             (const int *file, const char *name, const char *handle, size_t length, size_t of_handle),
             (file, name, handle, length, of_handle))
WRAP(int, cppc_file_unit_,
     (const int *file, const int *unit, const char *access, const char *form, size_t of_access, size_t of_form),
     (file, unit, access, form, of_access, of_form))
#endif
