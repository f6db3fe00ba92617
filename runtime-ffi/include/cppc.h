/* cppc.h: checkpointing of C programs, the calls of the runtime.
 *
 * Made from the table in the crate `cppc-abi`; do not edit. `docs/restart-model.md` describes
 * the order of the calls and the contract of the runtime. Link with -lcppc, or with -lcppc_mpi in a
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
#define CPPC_BYTE                       40    /* raw bytes, which cannot be converted for a different architecture */
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
#define CPPC_FIRST_STRUCTURE            1000  /* CPPC_Define_type returns codes from here on */
#define CPPC_FUNCTION                   0     /* in CPPC_Points: a function */

/* Storage of a register: flags. */

#define CPPC_STATIC                     1     /* the memory exists in a restart; the content is copied there */
#define CPPC_DYNAMIC                    2     /* a restart returns memory that free accepts */
#define CPPC_AUTOMATIC                  4     /* as CPPC_STATIC, and the register ends with its frame */
#define CPPC_PARAMETER                  8     /* added if the pointer is a parameter of its procedure */
#define CPPC_LASTING                    32    /* added to CPPC_STATIC for memory on the stack that outlives the procedure */
#define CPPC_CONSTANT                   64    /* added if the number of elements of a pointer's target is a constant */
#define CPPC_ASSOCIATED                 128   /* added for a POINTER of Fortran, whose memory may belong to another variable */
#define CPPC_ALLOCATION                 256   /* added if a pointer's target has as many elements as its allocation */
#define CPPC_DEEP                       512   /* added if everything that the pointers reach is saved too */
#define CPPC_PARTIAL                    1024  /* added if a restart changes only the described components of a structure */
#define CPPC_DEFERRED                   2048  /* added to CPPC_STATIC if the register may come after the end of a restart */

/* A captured pointer to memory that is not registered. */

#define CPPC_AGAIN                      1     /* a replay keeps what the program has put there */
#define CPPC_NEEDED                     2     /* null in a replay; refused once the call has returned */
#define CPPC_NOT_NEEDED                 3     /* null in a replay */

/* Statuses. */

#define CPPC_SUCCESS                    0     /* done */
#define CPPC_ERROR_ALREADY_INITIALISED  1     /* CPPC_Init was called before */
#define CPPC_ERROR_NULL_ARGUMENT        2     /* an argument that must not be null is null */
#define CPPC_ERROR_UNKNOWN_TYPE         3     /* the type code is not known */
#define CPPC_ERROR_UNKNOWN_STORAGE      4     /* the storage flags contradict each other */
#define CPPC_ERROR_NOT_INITIALISED      5     /* CPPC_Init was not called */
#define CPPC_ERROR_NOT_REGISTERED       6     /* nothing is registered there */
#define CPPC_ERROR_WRONG_THREAD         7     /* the call comes from another thread */
#define CPPC_ERROR_FINISHED             8     /* CPPC_Shutdown was called before */
#define CPPC_ERROR_INTERNAL             9     /* internal error of the runtime; the message names the call */
#define CPPC_ERROR_COMMUNICATOR         10    /* the processes cannot communicate (MPI_Init not called?) */
#define CPPC_ERROR_BAD_SETTINGS         11    /* a setting is wrong */
#define CPPC_ERROR_BAD_DESCRIPTION      12    /* the fields do not describe a structure of that size */
#define CPPC_ERROR_NOT_WRITTEN          13    /* the last state file could not be written */
#define CPPC_ERROR_BAD_SHAPE            14    /* the product of the extents is not the number of elements */

/* A field of a structure, for CPPC_Define_type: `count` is 1 or the elements of an array. */

typedef struct CPPC_Field {
    const char *name;
    size_t offset; /* offsetof(struct s, field) */
    int type;
    size_t count;
} CPPC_Field;

/* The calls of a program. Only one thread may make calls. */

/* Starts the service: removes the settings from argv, agrees with the other processes on the recovery
   line to resume from, and reads it. In an MPI program, MPI_Init must have been called. Null pointers
   mean no arguments. Returns CPPC_SUCCESS, or another status if there will be no service. */
int CPPC_Init(int *argc, char ***argv);

/* Ends the service: waits for the dump in progress, and removes the state files unless the settings
   keep them. Returns CPPC_SUCCESS or another status. CPPC_Init cannot be called again. */
int CPPC_Shutdown(void);

/* Registers `count` elements at `address` under `name`. In a restart the saved content is copied
   there or, with CPPC_DYNAMIC, returned in memory that free accepts.
   Registering a name again in the same scope replaces the earlier register. Returns the address. */
void *CPPC_Register(int section, void *address, size_t count, int type, const char *name, int storage);

/* First call in main: removes the runtime's settings from argv and keeps them for CPPC_Init, which may
   be called later and elsewhere. Without this call, CPPC_Init removes them itself. */
void CPPC_Arguments(int *argc, char ***argv);

/* CPPC_Register for one element. Returns 1 if its saved content was copied there, which happens only
   in a restart; else 0. */
int CPPC_Register_value(int section, void *address, int type, const char *name, int storage);

/* Registers the `count` elements to which the pointer in `slot` points at each checkpoint. In a restart
   the pointer is set. `storage` is that of the slot, with CPPC_PARAMETER added if the pointer is a
   parameter of its procedure. Returns the pointer in the slot. */
void *CPPC_Register_pointer(int section, void *slot, size_t count, int type, const char *name, int storage);

/* Call it right after the call that registered `name`. Its elements are an array of `rank` dimensions with
   these extents, the slowest in memory first. State files contain the shape; a restart does not depend on
   it. Returns CPPC_SUCCESS, or another status if the product of the extents is not the count. */
int CPPC_Shape(const char *name, int rank, const size_t *extents);

/* Call it before CPPC_Register or CPPC_Register_pointer of `name`. `count` is then a number of structures, and
   the register has a field of each: `elements` elements of the type, `offset` bytes after the first structure.
   The structures are `stride` bytes apart. In a restart their memory must exist. Returns CPPC_SUCCESS or
   another status. */
int CPPC_Fields(const char *name, size_t offset, size_t stride, size_t elements);

/* Call it right after the call that registered `name`. The pointer in `slot` is part of the access path to its
   address. It must point to the same address at each checkpoint; otherwise the checkpoint is skipped. Pass the
   pointers in the order in which the program follows them. With CPPC_AUTOMATIC the slot ends with the frame
   and is not read after that. Returns CPPC_SUCCESS or another status. */
int CPPC_Way(const char *name, void *slot, int storage);

/* Ends the register with this address, with this slot, or with this address in its slot. Returns
   CPPC_SUCCESS or another status. */
int CPPC_Unregister(void *address);

/* As CPPC_Unregister. The name selects among registers that share the address. */
int CPPC_Unregister_name(const char *name, void *address);

/* A checkpoint: every N-th call makes a dump, where N is a setting. In a restart, checks that the state
   file was written here and that everything was restored. Returns 1 if a restart has ended here, so that
   saved values must be restored, else 0. */
int CPPC_Do_checkpoint(int id);

/* CPPC_Do_checkpoint, with the position of the checkpoint in the source for messages: `heat.c:41`. */
int CPPC_Do_checkpoint_at(int id, const char *place);

/* Ends a block. Returns 0 in a normal run, else the block to jump to; one more than the number of
   blocks is the exit. In a program that never numbers its blocks: whether a restart is in progress. */
int CPPC_Jump_next(void);

/* Returns 1 during a restart, else 0. */
int CPPC_Restarting(void);

/* Describes a structure of `size` bytes by its fields. Returns its type code, or a negative status.
   Equal descriptions have the same code. A field with the name `u.real if kind == 1` is one only while the field
   `kind` has this value. */
int CPPC_Define_type(const char *name, size_t size, int fields, const CPPC_Field *field);

/* Sets the offset and the type of a field that is a bit-field. All bits of the field are set in the structure
   `sample` of `size` bytes, and no others. `negative`: its value is negative then. Returns CPPC_SUCCESS or another
   status. */
int CPPC_Bit_field(CPPC_Field *field, void *sample, size_t size, int negative);

/* Declares the integer that selects the member of the union that was registered last, under `name`. In the
   description of the union, the name of each member ends with its condition: `real if kind == 1`. The integer
   must exist as long as the register. Returns CPPC_SUCCESS or another status. */
int CPPC_Select(const char *name, void *selector, int type);

/* Declares that the pointers in this field of a structure point to elements of the type `target`, or to
   functions (CPPC_FUNCTION). Registers with CPPC_DEEP need it for each pointer that they reach. Returns
   CPPC_SUCCESS or another status. */
int CPPC_Points(int type, const char *field, int target);

/* Declares that the user has stated what the pointers in this field of a structure point to. That memory is
   not searched for addresses. Returns CPPC_SUCCESS or another status. */
int CPPC_Stated(int type, const char *field);

/* The calls of the restart plan, which a translated program needs in addition. */

/* The variable that the innermost procedure has registered under `name` is out of its scope: ends the
   register, if there is one. A name with `[]` means all elements with this name. */
void CPPC_Out_of_scope(const char *name);

/* Call it right before CPPC_Do_checkpoint. State is saved there only in runs with one of these numbers of
   processes: `1, 4:16`. The text must not change during the run. */
void CPPC_Ranks(const char *ranks);

/* Opens a frame of a procedure with this number of blocks. Returns 0, or in a restart the block to jump to. */
int CPPC_Enter(const char *procedure, int blocks);

/* Closes the innermost frame; the registers of its automatic variables end. */
void CPPC_Leave(void);

/* Returns the number of the innermost frame; for procedures that call setjmp. */
int CPPC_Frame(void);

/* The program continues in this frame: closes the inner frames that a longjmp has left. */
void CPPC_Land(int frame);

/* The procedure calls setjmp outside of execute blocks, at this position: `heat.c:41`. A restart would skip
   that call. Until the frame is closed, checkpoints are skipped. */
void CPPC_Jump_point(const char *place);

/* Call it after CPPC_Enter: a size in the declarations of the procedure depends on the variable of `size`
   bytes at `address`. It must have the same value at each checkpoint until the frame is closed. Otherwise
   the checkpoint is skipped, because a restart would compute another size. */
void CPPC_Size_variable(void *address, size_t size, const char *name);

/* Call it before CPPC_Init: the fingerprint of the program's instrumented procedures. State files of a
   program with another fingerprint are refused. */
void CPPC_Identify(const char *fingerprint);

/* Begins a register block. Returns CPPC_SUCCESS or another status. */
int CPPC_Block(int block);

/* Whether registers with CPPC_DEFERRED have an effect now. A procedure calls it each time that it begins, until
   the result is 1, and then registers its static variables. Any thread may make these calls. */
int CPPC_Accepts_deferred(void);

/* Returns 1 if registering `name` now has an effect. Outside of a restart it always has. */
int CPPC_Wants(const char *name);

/* Returns 1 while the current block is replayed, else 0. */
int CPPC_Replays(void);

/* The next register of this name is that of an element. Each `[]` in the name stands for the next one of the
   subscripts, which are numbers of type long long. In a replay they are set to those of the recorded
   register. Returns 1 if registering it now has an effect. */
int CPPC_Element(const char *name, void *subscripts);

/* Begins an execute block. Returns 1 in a normal run, 0 in a replay. */
int CPPC_Execute(int block);

/* Begins a call to an instrumented procedure; a null `callee` means a call through a pointer. Returns 1 in
   a normal run, 0 in a replay. */
int CPPC_Call(int block, const char *callee);

/* Call it after CPPC_Execute or CPPC_Call: records the content. In a replay the recorded content is
   copied there, and the previous content is copied back at the end of the block. */
void CPPC_Capture(void *address, size_t count, int type, const char *name);

/* Call it after CPPC_Call, as CPPC_Capture, for an argument that is a pointer or contains pointers. In a replay,
   pointers to registered memory point to the same element again. `elsewhere` selects what happens to others. */
void CPPC_Capture_pointers(void *address, size_t count, int type, const char *name, int elsewhere);

/* Call it after CPPC_Call, before the argument of the next CPPC_Capture_pointers is evaluated. Returns 0 if a
   replay has its value from the state file, so that the evaluation can be left out, else 1. */
int CPPC_Evaluates(const char *name);

/* Call it after CPPC_Execute and the captures: the block opens the file of this name, and `handle` refers to
   it. The first file is 1. In a replay, a file that was being written is set aside so that the block cannot
   truncate it. */
void CPPC_File(int file, const char *name, const char *handle);

/* Call it at the end of the block with its FILE *, or null if it was not opened. In a replay the file is
   moved back and truncated to its length at the checkpoint, and the stream refers to it, at its old position. */
void CPPC_File_stream(int file, void *stream);

/* As CPPC_File_stream, for a descriptor; negative if it was not opened. */
void CPPC_File_descriptor(int file, int descriptor);

/* The call has returned. Returns 1 if a restart has ended in an inner frame since the call began, so that
   the saved values must be restored, else 0. */
int CPPC_Return(int block);

/* Registers a copy of the variable at `address` in cell `slot` of the frame, for languages in which the
   address of a variable must not be kept. Returns 1 if a restart has copied the saved content to the
   variable, else 0. `storage` is CPPC_AUTOMATIC. */
int CPPC_Register_saved(int section, int slot, void *address, size_t count, int type, const char *name, int storage);

/* Copies the variable into cell `slot` of the frame. Call it right before a checkpoint, or before a call
   that may reach one. A cell that is not registered is saved with its frame. */
void CPPC_Save(int slot, void *address, size_t count, int type);

/* Copies the cell into the variable, if the cell has a value that differs. During a restart this is done
   only if the frame has reached its last block. */
void CPPC_Take(int slot, void *address, size_t count, int type);

/* Call it at the header of a loop that can only be entered through the header. `last` and `step` are copied
   into the cells slot + 1 and slot + 2. In a restart all three are copied from the cells if the frame has
   reached its last block; else they are set so that the loop runs once. */
void CPPC_Loop(int slot, void *first, void *last, void *step, int type);

/* Registers an array whose memory and bounds change. Call CPPC_Follow or CPPC_Follow_nothing right after it.
   `lower` and `upper` point to `rank` integers of 8 bytes each. Returns 0 in a normal run. In a restart,
   returns -1 if the array was not allocated, and 1 with its bounds if it was. Returns 2 if its memory was
   restored already, because an earlier register shares it (see CPPC_Place). */
int CPPC_Register_followed(int section, int type, int rank, void *lower, void *upper, const char *name, int storage);

/* In a restart, call it after the array was allocated with these bounds: copies the content there. */
void CPPC_Deliver(void *address, const char *name);

/* Passes the current address and bounds of the array. Call it right before a checkpoint, or before a call
   that may reach one. `length` is that of each element for CPPC_CHARACTER, else 0. */
void CPPC_Follow(void *address, size_t length, int rank, void *lower, void *upper, const char *name);

/* The array is not allocated now. */
void CPPC_Follow_nothing(const char *name);

/* In a restart, returns the address of an array whose memory was restored already; else null. */
void *CPPC_Place(const char *name);

/* As CPPC_Capture, but the previous content is not copied back. */
void CPPC_Capture_value(void *address, size_t count, int type, const char *name);

#ifdef __cplusplus
}
#endif

#endif /* CPPC_H */
