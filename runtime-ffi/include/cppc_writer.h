/* cppc_writer.h: how the runtime of CPPC calls a writer of state files.
 *
 * Made from the table in the crate `cppc-abi`; do not edit. A writer is a shared object that exports
 * CPPC_Get_writer; the setting `writer` names it. `docs/writers.md` describes when it is
 * called, and shows one.
 *
 * What the runtime passes belongs to the runtime and is valid until the call returns. What a writer
 * returns belongs to the writer: the table and its texts live as long as the process, `file` and
 * `seal` of an input until close. No exception and no longjmp may leave a function. Strings end with
 * a zero byte.
 */

#ifndef CPPC_WRITER_H
#define CPPC_WRITER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CPPC_WRITER_EXPORT
#if defined(__GNUC__)
#define CPPC_WRITER_EXPORT __attribute__((visibility("default")))
#else
#define CPPC_WRITER_EXPORT
#endif
#endif

#define CPPC_WRITER_VERSION         1    /* of this interface */
#define CPPC_WRITER_MESSAGE_SIZE    512  /* room for the text of an error */
#define CPPC_WRITER_NO_BLOCK        UINT64_MAX /* in place of an index: a null pointer */

/* What a writer supports. */

#define CPPC_WRITER_RECYCLES        1    /* write may find an older file at the path, of any writer, and overwrite its blocks in place */
#define CPPC_WRITER_BESIDE          2    /* write may run in a thread of the runtime while the program continues, with a descriptor table of its own: see docs/writers.md */

/* Kinds of elements. */

#define CPPC_KIND_SIGNED            1    /* an integer in two's complement */
#define CPPC_KIND_UNSIGNED          2    /* an integer without sign */
#define CPPC_KIND_CHARACTER         3    /* one byte of text, or a small number */
#define CPPC_KIND_LOGICAL           4    /* zero, or anything else for true */
#define CPPC_KIND_REAL              5    /* a floating-point number with `digits` bits in its significand */
#define CPPC_KIND_COMPLEX           6    /* two reals of half the size, the real part first */
#define CPPC_KIND_BYTE              7    /* bits without a meaning */
#define CPPC_KIND_POINTER           8    /* an address of the run that wrote it; `pointers` lists its target */
#define CPPC_KIND_STRUCTURE         9    /* what `fields` describes, and padding */

/* Where a block is in memory. */

#define CPPC_PLACE_HEAP             1    /* memory that malloc returned */
#define CPPC_PLACE_PROGRAM          2    /* a variable of the program */

struct CPPC_Writer_type;

/* A field of a structure. */

typedef struct CPPC_Writer_field {
    const char *name; /* as in the source */
    const struct CPPC_Writer_type *element; /* the type of one element */
    uint64_t offset; /* bytes from the beginning of the structure */
    uint64_t count; /* 1, or the elements of an array */
} CPPC_Writer_field;

/* The type of an element, on the machine that made the content. */

typedef struct CPPC_Writer_type {
    const char *name; /* as a program spells it, or the name of the structure */
    uint64_t size; /* bytes of one element */
    int32_t code; /* as in cppc.h */
    uint32_t kind; /* CPPC_KIND_... */
    uint32_t digits; /* bits in the significand of a real or of the parts of a complex: 11, 24, 53, 64, 106, 113; else 0 */
    uint32_t field_count; /* of a structure, else 0 */
    const CPPC_Writer_field *fields; /* in the order of the source; those of a union overlap */
} CPPC_Writer_type;

/* A range of memory. Every byte of it must be restored. */

typedef struct CPPC_Writer_block {
    const void *data; /* its content; may be null if the size is 0 */
    uint64_t size; /* bytes */
    uint64_t elements; /* number of elements of all registers in it */
    uint32_t place; /* CPPC_PLACE_... */
    uint32_t deflate; /* 0, or the compression level (1 to 9) that the user has set */
} CPPC_Writer_block;

/* A name for a part of a block. Registers may share blocks and names. */

typedef struct CPPC_Writer_register {
    const char *name; /* as in the source: any expression, UTF-8 */
    const char *procedure; /* the procedure of the variable; null for the whole program */
    const CPPC_Writer_type *element; /* the type of one element */
    uint64_t count; /* elements */
    const uint64_t *dimensions; /* extents, slowest first; their product is `count` */
    uint32_t rank; /* number of dimensions; 0 for a single value */
    uint32_t depth; /* call depth of the procedure; 0 for the outermost */
    int32_t section; /* as in the program */
    uint32_t is_pointer; /* 1 if the name is that of a pointer to the memory */
    uint64_t block; /* index of the block, or CPPC_WRITER_NO_BLOCK for a null pointer */
    uint64_t offset; /* bytes from the beginning of the block */
} CPPC_Writer_register;

/* A pointer in the content of a block, and its target. */

typedef struct CPPC_Writer_pointer {
    uint64_t at_block; /* index of the block that contains it */
    uint64_t at_offset; /* bytes from the beginning of that block */
    uint64_t to_block; /* index of the block that it points to, or CPPC_WRITER_NO_BLOCK for a null pointer */
    uint64_t to_offset; /* bytes from the beginning of that block; may be its size */
} CPPC_Writer_pointer;

/* Information for people. */

typedef struct CPPC_Writer_note {
    const char *name; /* such as `host` */
    const char *value; /* UTF-8 text */
} CPPC_Writer_note;

/* A state to write. open must return the seal byte for byte, and read the content of the blocks.
   The rest is for people and other programs. */

typedef struct CPPC_Writer_state {
    const char *application; /* the name of the program */
    uint64_t run; /* random number of the run, the same on all processes */
    uint64_t line; /* number of the recovery line */
    uint64_t calls; /* calls of the checkpoint function so far */
    uint32_t rank; /* rank of the process */
    uint32_t processes; /* number of processes */
    uint32_t big_endian; /* 1 if the content is big-endian, else 0 */
    uint32_t pointer_size; /* bytes of a pointer in the content */
    const CPPC_Writer_block *blocks; /* the memory */
    uint64_t block_count; /* number of `blocks` */
    const CPPC_Writer_register *registers; /* in the order in which they were made */
    uint64_t register_count; /* number of `registers` */
    const CPPC_Writer_pointer *pointers; /* sorted by block and offset */
    uint64_t pointer_count; /* number of `pointers` */
    const CPPC_Writer_note *notes; /* host, time and so on */
    uint64_t note_count; /* number of `notes` */
    const char *const *plan; /* the restart plan, one line of text for each entry */
    uint64_t plan_count; /* number of lines */
    const unsigned char *seal; /* what the runtime needs to read the file again */
    uint64_t seal_size; /* bytes */
} CPPC_Writer_state;

/* A file that is open for reading: filled by open. */

typedef struct CPPC_Writer_input {
    void *file; /* any value; passed to read and close */
    const unsigned char *seal; /* the seal that was passed to write; valid until close */
    uint64_t seal_size; /* bytes */
} CPPC_Writer_input;

/* What CPPC_Get_writer returns. Functions that return int return 0, or an error: a value of errno, or
   -1 if no value fits, and a sentence in `message`, which has room for CPPC_WRITER_MESSAGE_SIZE bytes.
   Two threads never call them for one file at the same time. */

typedef struct CPPC_Writer {
    uint32_t version; /* CPPC_WRITER_VERSION */
    uint32_t flags; /* CPPC_WRITER_RECYCLES, CPPC_WRITER_BESIDE, or 0 */
    const char *name; /* for messages */
    const unsigned char *signature; /* the first bytes of its files, and of no other writer's files */
    uint64_t signature_size; /* 4 to 64 bytes */
    /* Writes the file and closes it. The runtime makes it durable and gives it its name. */
    int (*write)(const CPPC_Writer_state *state, const char *path, char *message);
    /* Opens a file for reading. */
    int (*open)(const char *path, CPPC_Writer_input *input, char *message);
    /* Reads a part of the content of a block. The runtime verifies its checksum. */
    int (*read)(void *file, uint64_t block, uint64_t offset, uint64_t size, void *into, char *message);
    /* Closes the file. */
    void (*close)(void *file);
} CPPC_Writer;

/* The one symbol that a writer exports. `version` is the CPPC_WRITER_VERSION of the runtime;
   a writer that does not have that version returns a null pointer. */

CPPC_WRITER_EXPORT const CPPC_Writer *CPPC_Get_writer(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif /* CPPC_WRITER_H */
