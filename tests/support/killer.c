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
 * of the runtime there had been, and how long the standard output was; `init EVENT`; `shutdown EVENT`.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cppc.h>

#ifdef KILLER_MPI
#include <mpi.h>
#endif

static FILE *trace;
static long events, checkpoints;
static long kill_checkpoint = -1, kill_event = -1;

static int own_rank(void)
{
    const char *names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    size_t k;
    for (k = 0; k < sizeof names / sizeof names[0]; k++)
        if (getenv(names[k]) != NULL)
            return atoi(getenv(names[k]));
    return 0;
}

__attribute__((constructor)) static void read_orders(void)
{
    const char *directory, *order = getenv("KILLER_ORDER");
    char path[4096];
    int rank = own_rank(), victim = 0;

    if ((directory = getenv("KILLER_OUT")) != NULL) {
        snprintf(path, sizeof path, "%s/out.%d", directory, rank);
        if (freopen(path, "w", stdout) == NULL)
            abort();
    }
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
    raise(SIGKILL);
}

static void happen(void)
{
    if (++events == kill_event)
        die();
}

int __real_CPPC_Do_checkpoint(int id);
int __wrap_CPPC_Do_checkpoint(int id);

int __wrap_CPPC_Do_checkpoint(int id)
{
    int resumed;
    happen();
    resumed = __real_CPPC_Do_checkpoint(id);
    checkpoints++;
    if (trace != NULL) {
        fflush(stdout);
        fprintf(trace, "checkpoint %ld %ld %ld\n", checkpoints, events, ftell(stdout));
    }
    if (checkpoints == kill_checkpoint) {
#ifdef KILLER_MPI
        MPI_Barrier(MPI_COMM_WORLD);
#endif
        die();
    }
    return resumed;
}

int __real_CPPC_Init(int *argc, char ***argv);
int __wrap_CPPC_Init(int *argc, char ***argv);

int __wrap_CPPC_Init(int *argc, char ***argv)
{
    int status;
    happen();
    status = __real_CPPC_Init(argc, argv);
    if (trace != NULL)
        fprintf(trace, "init %ld\n", events);
    return status;
}

int __real_CPPC_Shutdown(void);
int __wrap_CPPC_Shutdown(void);

int __wrap_CPPC_Shutdown(void)
{
    happen();
    if (trace != NULL)
        fprintf(trace, "shutdown %ld\n", events);
    return __real_CPPC_Shutdown();
}

#define WRAP(type, name, parameters, arguments)                                                    \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        happen();                                                                                  \
        return __real_##name arguments;                                                            \
    }

WRAP(int, CPPC_Enter, (const char *procedure, int blocks), (procedure, blocks))
WRAP(int, CPPC_Block, (int block), (block))
WRAP(int, CPPC_Execute, (int block), (block))
WRAP(int, CPPC_Call, (int block, const char *callee), (block, callee))
WRAP(int, CPPC_Return, (int block), (block))
WRAP(int, CPPC_Jump_next, (void), ())
WRAP(void *, CPPC_Register,
     (int section, void *address, size_t count, int type, const char *name, int storage),
     (section, address, count, type, name, storage))
WRAP(int, CPPC_Register_value,
     (int section, void *address, int type, const char *name, int storage),
     (section, address, type, name, storage))
WRAP(void *, CPPC_Register_pointer,
     (int section, void *slot, size_t count, int type, const char *name, int storage),
     (section, slot, count, type, name, storage))
