/* Mistakes of a program; the first argument selects one. */

#include "client.h"
#include <pthread.h>
#include <sys/mman.h>

static int x, several[3], *pointers[2];
static __thread int own;

/* Its variable ends before `CPPC_Init`. */
static void early_local(void)
{
    int local = 0;
    CPPC_Enter("early_local", 1);
    CPPC_Register(0, &local, 1, CPPC_INT, "local", CPPC_AUTOMATIC);
    CPPC_Leave();
}

static void *elsewhere(void *nothing)
{
    CPPC_Do_checkpoint(1);
    return nothing;
}

static void *registering(void *nothing)
{
    static _Thread_local int mine;
    CPPC_Register(0, &mine, 1, CPPC_INT, "mine", CPPC_STATIC);
    return nothing;
}

static void on_signal(int number)
{
    (void) number;
    CPPC_Jump_next();
}

static const char *what;

/* The runtime reads the memory of this register; a signal comes while it writes. */
static void with_signals(void)
{
    static char big[1 << 24];
    int turn;
    signal(SIGALRM, on_signal);
    CPPC_Register(0, big, sizeof big, CPPC_CHAR, "big", CPPC_STATIC);
    for (turn = 0; turn < 200; turn++) {
        ualarm(500, 0);
        CPPC_Do_checkpoint(1);
    }
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int local = 0, *to_local = &local, *to_own = &own;
    CPPC_Field outside = { "f", 4, CPPC_DOUBLE, 1 };
    what = argc > 1 ? argv[1] : "";
    if (!strncmp(what, "early", 5)) CPPC_Register(0, &x, 1, CPPC_INT, "x", CPPC_STATIC);
    if (!strcmp(what, "early-ended")) CPPC_Unregister(&x);
    if (!strcmp(what, "early-ended")) early_local();
    if (!strcmp(what, "return")) CPPC_Enter("main", 3);
    CPPC_Init(&argc, &argv);
    if (!strcmp(what, "arguments")) {
        printf("%d %s %s %s\n", argc, argv[1], argv[argc - 1], argv[argc] == NULL ? "null" : "not null");
    } else if (!strcmp(what, "twice")) {
        if (CPPC_Init(&argc, &argv) != CPPC_ERROR_ALREADY_INITIALISED) return 1;
    } else if (!strcmp(what, "early-again")) {
        CPPC_Register(0, &x, 1, CPPC_INT, "x", CPPC_STATIC);
    } else if (!strcmp(what, "early-unregistered")) {
        CPPC_Unregister(&x);
    } else if (!strcmp(what, "early-other")) {
        CPPC_Register(0, &several, 3, CPPC_INT, "several", CPPC_STATIC);
    } else if (!strcmp(what, "after")) {
        CPPC_Shutdown();
        if (CPPC_Init(&argc, &argv) != CPPC_ERROR_FINISHED) return 1;
    } else if (!strcmp(what, "thread")) {
        pthread_create(&thread, NULL, elsewhere, NULL);
        pthread_join(thread, NULL);
    } else if (!strcmp(what, "thread-register")) {
        pthread_create(&thread, NULL, registering, NULL);
        pthread_join(thread, NULL);
    } else if (!strcmp(what, "signal")) {
        with_signals();
    } else if (!strcmp(what, "type")) {
        CPPC_Register(0, &x, 1, 55, "x", CPPC_STATIC);
    } else if (!strcmp(what, "storage")) {
        CPPC_Register(0, &x, 1, CPPC_INT, "x", CPPC_STATIC | CPPC_DYNAMIC);
    } else if (!strcmp(what, "dangling")) {
        pointers[1] = &local;
        CPPC_Register(0, pointers, 2, CPPC_POINTER, "x", CPPC_STATIC);
    } else if (!strcmp(what, "stack")) {
        CPPC_Register_pointer(0, &to_local, 1, CPPC_INT, "x", CPPC_AUTOMATIC);
    } else if (!strcmp(what, "own")) {
        CPPC_Register_pointer(0, &to_own, 1, CPPC_INT, "x", CPPC_STATIC);
    } else if (!strcmp(what, "empty")) {
        to_local = malloc(8);
        CPPC_Register_pointer(0, &to_local, 0, CPPC_INT, "x", CPPC_AUTOMATIC | CPPC_CONSTANT);
    } else if (!strcmp(what, "lost")) {
        CPPC_Register_pointer(0, &to_local, 0, CPPC_INT, "x", CPPC_AUTOMATIC);
    } else if (!strcmp(what, "partly")) {
        CPPC_Register(0, several, 2, CPPC_INT, "several", CPPC_STATIC);
        to_local = several + 1;
        CPPC_Register_pointer(0, &to_local, 2, CPPC_INT, "x", CPPC_AUTOMATIC);
    } else if (!strcmp(what, "way")) {
        CPPC_Register(0, to_local, 1, CPPC_INT, "*x", CPPC_STATIC);
        CPPC_Way("*x", &to_local, CPPC_AUTOMATIC);
        to_local = several;
    } else if (!strcmp(what, "huge")) {
        CPPC_Register(0, &x, (size_t) 5 << 30, CPPC_INT, "x", CPPC_STATIC);
    } else if (!strcmp(what, "unmapped")) {
        void *mapped = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CPPC_Register(0, mapped, 1 << 18, CPPC_INT, "x", CPPC_STATIC);
        munmap(mapped, 1 << 20);
    } else if (!strcmp(what, "shared")) {
        to_local = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        CPPC_Register_pointer(0, &to_local, 100, CPPC_INT, "x", CPPC_AUTOMATIC);
    } else if (!strcmp(what, "wild")) {
        to_local = (int *) 0x123456;
        CPPC_Register_pointer(0, &to_local, 1, CPPC_INT, "x", CPPC_AUTOMATIC);
    } else if (!strcmp(what, "capture")) {
        CPPC_Execute(1);
        CPPC_Capture(&x, (size_t) -1 / 4, CPPC_INT, "x");
        CPPC_Jump_next();
    } else if (!strcmp(what, "leave")) {
        CPPC_Leave();
    } else if (!strcmp(what, "return")) {
        CPPC_Return(3);
    } else if (!strcmp(what, "structure")) {
        if (CPPC_Define_type("s", 4, 1, &outside) != -CPPC_ERROR_BAD_DESCRIPTION) return 1;
    } else if (!strcmp(what, "null")) {
        CPPC_Register(0, &x, 1, CPPC_INT, NULL, CPPC_STATIC);
        CPPC_Define_type(NULL, 4, -1, NULL);
        CPPC_Capture(NULL, 1, CPPC_INT, NULL);
        CPPC_Identify(NULL);
        CPPC_Unregister(NULL);
    }
    CPPC_Do_checkpoint(1);
    CPPC_Shutdown();
    return 0;
}
