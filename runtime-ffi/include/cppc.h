/* cppc.h: checkpointing of C programs, the calls of the runtime.
 *
 * Made from the table in the crate `cppc-abi`; do not edit. `docs/restart-model.md` says in which
 * order the calls are made and what the runtime promises. Link with -lcppc, or with -lcppc_mpi in a
 * program that uses MPI.
 */

#ifndef CPPC_H
#define CPPC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of elements: the C ones, then the Fortran ones. Numbers never change. */

#define CPPC_CHAR                       1     /* char */
#define CPPC_SIGNED_CHAR                2     /* signed char */
#define CPPC_UNSIGNED_CHAR              3     /* unsigned char */
#define CPPC_SHORT                      4     /* short */
#define CPPC_UNSIGNED_SHORT             5     /* unsigned short */
#define CPPC_INT                        6     /* int */
#define CPPC_UNSIGNED_INT               7     /* unsigned int */
#define CPPC_LONG                       8     /* long */
#define CPPC_UNSIGNED_LONG              9     /* unsigned long */
#define CPPC_LONG_LONG                  10    /* long long */
#define CPPC_UNSIGNED_LONG_LONG         11    /* unsigned long long */
#define CPPC_INT128                     12    /* __int128 */
#define CPPC_UNSIGNED_INT128            13    /* unsigned __int128 */
#define CPPC_BOOL                       14    /* _Bool */
#define CPPC_FLOAT                      20    /* float */
#define CPPC_DOUBLE                     21    /* double */
#define CPPC_LONG_DOUBLE                22    /* long double */
#define CPPC_FLOAT128                   23    /* _Float128 */
#define CPPC_FLOAT16                    24    /* _Float16 */
#define CPPC_FLOAT_COMPLEX              30    /* float _Complex */
#define CPPC_DOUBLE_COMPLEX             31    /* double _Complex */
#define CPPC_LONG_DOUBLE_COMPLEX        32    /* long double _Complex */
#define CPPC_FLOAT128_COMPLEX           33    /* _Float128 _Complex */
#define CPPC_BYTE                       40    /* raw bytes, which do not travel to a machine of another make */
#define CPPC_POINTER                    41    /* any pointer to data */
#define CPPC_INTEGER_1                  60    /* INTEGER(KIND=1) */
#define CPPC_INTEGER_2                  61    /* INTEGER(KIND=2) */
#define CPPC_INTEGER_4                  62    /* INTEGER(KIND=4) */
#define CPPC_INTEGER_8                  63    /* INTEGER(KIND=8) */
#define CPPC_INTEGER_16                 64    /* INTEGER(KIND=16) */
#define CPPC_LOGICAL_1                  70    /* LOGICAL(KIND=1) */
#define CPPC_LOGICAL_2                  71    /* LOGICAL(KIND=2) */
#define CPPC_LOGICAL_4                  72    /* LOGICAL(KIND=4) */
#define CPPC_LOGICAL_8                  73    /* LOGICAL(KIND=8) */
#define CPPC_LOGICAL_16                 74    /* LOGICAL(KIND=16) */
#define CPPC_REAL_4                     80    /* REAL(KIND=4) */
#define CPPC_REAL_8                     81    /* REAL(KIND=8) */
#define CPPC_REAL_10                    82    /* REAL(KIND=10) */
#define CPPC_REAL_16                    83    /* REAL(KIND=16) */
#define CPPC_COMPLEX_4                  90    /* COMPLEX(KIND=4) */
#define CPPC_COMPLEX_8                  91    /* COMPLEX(KIND=8) */
#define CPPC_COMPLEX_10                 92    /* COMPLEX(KIND=10) */
#define CPPC_COMPLEX_16                 93    /* COMPLEX(KIND=16) */
#define CPPC_CHARACTER                  100   /* CHARACTER */
#define CPPC_FIRST_STRUCTURE            1000  /* codes from here on come from CPPC_Define_type */

/* Storage of a register: flags. */

#define CPPC_STATIC                     1     /* the memory has its place; the content is copied in */
#define CPPC_DYNAMIC                    2     /* a restart returns memory that free takes */
#define CPPC_AUTOMATIC                  4     /* as CPPC_STATIC, and the register ends with its frame */
#define CPPC_PARAMETER                  8     /* added when the pointer is a parameter of its procedure */
#define CPPC_LASTING                    32    /* added to CPPC_STATIC for memory on the stack that outlives the procedure */
#define CPPC_CONSTANT                   64    /* added when the count of what a pointer leads to is a constant */
#define CPPC_ASSOCIATED                 128   /* added for a POINTER of Fortran, whose memory may be another variable's */

/* Statuses. */

#define CPPC_SUCCESS                    0     /* done */
#define CPPC_ERROR_ALREADY_INITIALISED  1     /* CPPC_Init was called before */
#define CPPC_ERROR_NULL_ARGUMENT        2     /* an argument that must point somewhere is null */
#define CPPC_ERROR_UNKNOWN_TYPE         3     /* the type code is not known */
#define CPPC_ERROR_UNKNOWN_STORAGE      4     /* the storage flags contradict each other */
#define CPPC_ERROR_NOT_INITIALISED      5     /* CPPC_Init was not called */
#define CPPC_ERROR_NOT_REGISTERED       6     /* nothing is registered there */
#define CPPC_ERROR_WRONG_THREAD         7     /* the call comes from another thread */
#define CPPC_ERROR_FINISHED             8     /* CPPC_Shutdown was called before */
#define CPPC_ERROR_INTERNAL             9     /* the runtime failed; the message says where */
#define CPPC_ERROR_COMMUNICATOR         10    /* the processes cannot talk to each other (MPI_Init not called?) */
#define CPPC_ERROR_BAD_SETTINGS         11    /* a setting is wrong */
#define CPPC_ERROR_BAD_DESCRIPTION      12    /* the fields do not describe a structure of that size */
#define CPPC_ERROR_NOT_WRITTEN          13    /* the last state file could not be written */
#define CPPC_ERROR_BAD_SHAPE            14    /* the extents do not make the number of elements */

/* A field of a structure, for CPPC_Define_type: `count` is 1 or the elements of an array. */

typedef struct CPPC_Field {
    const char *name;
    size_t offset; /* offsetof(struct s, field) */
    int type;
    size_t count;
} CPPC_Field;

/* The calls of a program. All calls come from one thread. */

/* Starts the service: takes the settings out of argv, agrees with the other processes on what to
   resume from, and reads it. MPI_Init must have been called in an MPI program. Null pointers
   stand for no arguments. Returns CPPC_SUCCESS, or a status when there will be no service. */
int CPPC_Init(int *argc, char ***argv);

/* Ends the service: waits for the dump that is under way and removes what the settings say.
   Returns CPPC_SUCCESS, or a status. CPPC_Init cannot be called again. */
int CPPC_Shutdown(void);

/* Registers `count` elements at `address` under `name`. In a restart the saved content is put
   there, or, with CPPC_DYNAMIC, memory that free takes is returned with the content in it.
   Registering a name again in the same scope replaces the earlier register. Returns the address. */
void *CPPC_Register(int section, void *address, size_t count, int type, const char *name, int storage);

/* First in main: takes the runtime's settings out of argv and keeps them for CPPC_Init, which may
   come later and elsewhere. Without it CPPC_Init takes them out itself. */
void CPPC_Arguments(int *argc, char ***argv);

/* CPPC_Register for one element. Returns 1 when its saved content has been put there, which happens
   in a restart only; 0 otherwise. */
int CPPC_Register_value(int section, void *address, int type, const char *name, int storage);

/* Registers `count` elements at the place that the pointer in `slot` points to at each checkpoint.
   In a restart the pointer is set. `storage` is that of the slot, with CPPC_PARAMETER added when
   the pointer is a parameter of its procedure. Returns what the slot points to. */
void *CPPC_Register_pointer(int section, void *slot, size_t count, int type, const char *name, int storage);

/* Right after the call that registered `name`: its elements are an array of `rank` dimensions, with these
   extents, the slowest in memory first. State files show it; a restart does not depend on it. Returns
   CPPC_SUCCESS, or a status when the extents do not make the count. */
int CPPC_Shape(const char *name, int rank, const size_t *extents);

/* Right after the call that registered `name`: its address was reached through the pointer in `slot`, which
   must lead to the same place at each checkpoint, or nothing is written there. Pointers are named in the order
   in which they are followed. With CPPC_AUTOMATIC the slot ends with the frame, and is not looked at from then
   on. Returns CPPC_SUCCESS or a status. */
int CPPC_Way(const char *name, void *slot, int storage);

/* Ends the register at this address, slot, or pointed-to place. Returns CPPC_SUCCESS or a status. */
int CPPC_Unregister(void *address);

/* As CPPC_Unregister; the name decides between registers that share the address. */
int CPPC_Unregister_name(const char *name, void *address);

/* A checkpoint: every N-th call dumps, N from the settings. In a restart it is checked whether
   the state file was written here and everything has been recovered. Returns 1 when a restart has
   ended right here and saved values must be taken back, else 0. */
int CPPC_Do_checkpoint(int id);

/* CPPC_Do_checkpoint, with the place of the checkpoint in the source for messages: `heat.c:41`. */
int CPPC_Do_checkpoint_at(int id, const char *place);

/* Ends a block. Returns 0 in a normal run, else the block to go to; one more than the number of
   blocks is the exit. In a program that never numbers its blocks: whether a restart is under way. */
int CPPC_Jump_next(void);

/* Returns 1 while a restart is under way, else 0. */
int CPPC_Restarting(void);

/* Describes a structure of `size` bytes by its fields. Returns its type code, the same for the
   same description, or a negative status. */
int CPPC_Define_type(const char *name, size_t size, int fields, const CPPC_Field *field);

/* The calls that keep the restart plan: what a translated program needs besides. */

/* Opens a frame of a procedure with so many blocks. Returns 0, or the block to go to in a restart. */
int CPPC_Enter(const char *procedure, int blocks);

/* Closes the innermost frame; the registers of its automatic variables end. */
void CPPC_Leave(void);

/* Which frame is the innermost; for procedures that call setjmp. */
int CPPC_Frame(void);

/* Control is in this frame: those that it has called and that a longjmp has left are closed. */
void CPPC_Land(int frame);

/* The procedure calls setjmp, outside of execute blocks, at this place: `heat.c:41`. A restart would jump over
   that. Until the frame is closed, nothing is written at checkpoints. */
void CPPC_Jump_point(const char *place);

/* Before CPPC_Init: the fingerprint of the program's instrumented procedures. A state file that
   was written by a program with another one is refused. */
void CPPC_Identify(const char *fingerprint);

/* A register block begins. Returns CPPC_SUCCESS or a status. */
int CPPC_Block(int block);

/* Returns 1 when registering `name` now has an effect, which outside a restart is always so. */
int CPPC_Wants(const char *name);

/* Returns 1 while the block under way is repeated from the restart plan, else 0. */
int CPPC_Replays(void);

/* The register of this name that follows is that of an element: each `[]` in the name stands for the next of
   the subscripts, numbers of type long long. In a replay they become those of the register that is made
   again. Returns 1 when registering it now has an effect. */
int CPPC_Element(const char *name, void *subscripts);

/* An execute block begins. Returns 1 in a normal run, 0 in a replay. */
int CPPC_Execute(int block);

/* A call to an instrumented procedure begins; a null `callee` stands for a call through a pointer.
   Returns 1 in a normal run, 0 in a replay. */
int CPPC_Call(int block, const char *callee);

/* After CPPC_Execute or CPPC_Call: records the content. In a replay the recorded content is put
   in place, and what was there is put back at the end of the block. */
void CPPC_Capture(void *address, size_t count, int type, const char *name);

/* After CPPC_Execute and the captures: the block opens the file of this name and has it in `handle`; the
   first file is 1. In a replay what was being written is moved aside, so that the block cannot empty it. */
void CPPC_File(int file, const char *name, const char *handle);

/* At the end of the block: its FILE *, or null when it was not opened. In a replay the file is moved back,
   cut to the length it had at the checkpoint, and the stream leads to it, at its old place. */
void CPPC_File_stream(int file, void *stream);

/* As CPPC_File_stream, for a descriptor; negative when it was not opened. */
void CPPC_File_descriptor(int file, int descriptor);

/* The call has returned. Returns 1 when a restart has ended below this frame since the call began
   and the saved values must be taken back, else 0. */
int CPPC_Return(int block);

/* Registers a copy of the variable at `address`, kept in cell `slot` of the frame, for languages in
   which the address of a variable must not be kept. Returns 1 when a restart has put the saved
   content into the variable, else 0. `storage` is CPPC_AUTOMATIC. */
int CPPC_Register_saved(int section, int slot, void *address, size_t count, int type, const char *name, int storage);

/* Copies the variable into cell `slot` of the frame, right before a checkpoint or a call that leads
   to one. A cell that is not registered is saved with its frame. */
void CPPC_Save(int slot, void *address, size_t count, int type);

/* Copies the cell into the variable, if there is something in it and it differs. While a restart is
   under way this is done only where the frame has come to its last block. */
void CPPC_Take(int slot, void *address, size_t count, int type);

/* At the header of a loop that can only be entered through it: `last` and `step` go into the cells
   slot + 1 and slot + 2. In a restart all three come from the cells where the frame has come to its
   last block; else they are set so that the loop is entered once. */
void CPPC_Loop(int slot, void *first, void *last, void *step, int type);

/* Registers an array whose memory and bounds change; CPPC_Follow or CPPC_Follow_nothing comes right
   after it. `lower` and `upper` lead to `rank` integers of 8 bytes each. Returns 0 in a normal run; in a
   restart -1 when it was not allocated, 1 when it was, with its bounds, 2 when its memory is in place
   already, because another register that shares it came before (see CPPC_Place). */
int CPPC_Register_followed(int section, int type, int rank, void *lower, void *upper, const char *name, int storage);

/* In a restart, after the array was allocated with these bounds: puts the content there. */
void CPPC_Deliver(void *address, const char *name);

/* Says where the array is now and with which bounds, right before a checkpoint or a call that leads
   to one. `length` is that of each element for CPPC_CHARACTER, else 0. */
void CPPC_Follow(void *address, size_t length, int rank, void *lower, void *upper, const char *name);

/* Says that the array is not allocated now. */
void CPPC_Follow_nothing(const char *name);

/* In a restart, where the memory of the array is that is in place already; else null. */
void *CPPC_Place(const char *name);

/* As CPPC_Capture, but what was there before is not put back. */
void CPPC_Capture_value(void *address, size_t count, int type, const char *name);

#ifdef __cplusplus
}
#endif

#endif /* CPPC_H */
