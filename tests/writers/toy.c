/* A writer in the plainest form there can be: entries, one behind the other, each with a line of
 * text before it.
 *
 *     cc -shared -fPIC -I PREFIX/include -o toy.so toy.c
 *     CPPC_WRITER=./toy.so ./program
 */

#include <cppc_writer.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGNATURE "a toy's state file\n"
#define SIGNATURE_SIZE (sizeof SIGNATURE - 1)
#define HEAD_SIZE 64

/* What an entry is: the registers as text, a block, or the seal, which is the last one. */
enum { REGISTERS = 'r', BLOCK = 'b', SEAL = 's' };

static int fail(int code, const char *text, char *message)
{
    snprintf(message, CPPC_WRITER_MESSAGE_SIZE, "%s: %s", text, code > 0 ? strerror(code) : "the file is not what was written");
    return code;
}

static int put_entry(FILE *file, int kind, uint64_t index, const void *data, uint64_t size)
{
    char head[HEAD_SIZE + 1];
    snprintf(head, sizeof head, "%c %20llu %20llu%*s\n", kind, (unsigned long long)index, (unsigned long long)size,
             HEAD_SIZE - 44, "");
    return fwrite(head, HEAD_SIZE, 1, file) == 1 && (size == 0 || fwrite(data, size, 1, file) == 1);
}

static int put_registers(FILE *file, const CPPC_Writer_state *state)
{
    size_t room = 1, used = 0;
    char *text;
    int done;
    for (uint64_t i = 0; i < state->register_count; i++)
        room += strlen(state->registers[i].name) + strlen(state->registers[i].element->name) + 32;
    text = malloc(room);
    if (text == NULL)
        return 0;
    for (uint64_t i = 0; i < state->register_count; i++) {
        const CPPC_Writer_register *this = &state->registers[i];
        used += sprintf(text + used, "%s: %llu of %s\n", this->name, (unsigned long long)this->count, this->element->name);
    }
    done = put_entry(file, REGISTERS, 0, text, used);
    free(text);
    return done;
}

static int toy_write(const CPPC_Writer_state *state, const char *path, char *message)
{
    FILE *file = fopen(path, "wb");
    int done;
    if (file == NULL)
        return fail(errno, "open", message);
    done = fwrite(SIGNATURE, SIGNATURE_SIZE, 1, file) == 1 && put_registers(file, state);
    for (uint64_t i = 0; done && i < state->block_count; i++)
        done = put_entry(file, BLOCK, i, state->blocks[i].data, state->blocks[i].size);
    done = done && put_entry(file, SEAL, 0, state->seal, state->seal_size);
    if (!done) {
        int code = errno;
        fclose(file);
        return fail(code, "write", message);
    }
    /* What the library had kept back is written now: this can fail too. */
    return fclose(file) == 0 ? 0 : fail(errno, "close", message);
}

typedef struct {
    FILE *file;
    unsigned char *seal;
    uint64_t blocks;
    struct {
        uint64_t at, size;
    } *places;
} Opened;

static void toy_close(void *file)
{
    Opened *opened = file;
    if (opened == NULL)
        return;
    fclose(opened->file);
    free(opened->seal);
    free(opened->places);
    free(opened);
}

/* Walks through the entries up to the seal; believes no number that leads out of the file. */
static int find_entries(Opened *opened, uint64_t end, CPPC_Writer_input *input)
{
    uint64_t at = SIGNATURE_SIZE;
    for (;;) {
        char head[HEAD_SIZE + 1] = "", kind;
        unsigned long long index, size;
        if (fseeko(opened->file, at, SEEK_SET) != 0 || fread(head, HEAD_SIZE, 1, opened->file) != 1)
            return 0;
        at += HEAD_SIZE;
        if (sscanf(head, "%c %llu %llu", &kind, &index, &size) != 3 || at > end || size > end - at)
            return 0;
        if (kind == SEAL) {
            opened->seal = malloc(size + 1);
            input->seal = opened->seal;
            input->seal_size = size;
            return opened->seal != NULL && (size == 0 || fread(opened->seal, size, 1, opened->file) == 1);
        }
        if (kind == BLOCK) {
            void *more = realloc(opened->places, (opened->blocks + 1) * sizeof *opened->places);
            if (more == NULL)
                return 0;
            opened->places = more;
            if (index != opened->blocks)
                return 0;
            opened->places[opened->blocks].at = at;
            opened->places[opened->blocks].size = size;
            opened->blocks++;
        } else if (kind != REGISTERS) {
            return 0;
        }
        at += size;
    }
}

static int toy_open(const char *path, CPPC_Writer_input *input, char *message)
{
    Opened *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return fail(ENOMEM, "open", message);
    opened->file = fopen(path, "rb");
    if (opened->file == NULL) {
        int code = errno;
        free(opened);
        return fail(code, "open", message);
    }
    fseeko(opened->file, 0, SEEK_END);
    if (!find_entries(opened, ftello(opened->file), input)) {
        toy_close(opened);
        return fail(-1, "look for the entries", message);
    }
    input->file = opened;
    return 0;
}

static int toy_read(void *file, uint64_t block, uint64_t offset, uint64_t size, void *into, char *message)
{
    Opened *opened = file;
    if (block >= opened->blocks || offset > opened->places[block].size || size > opened->places[block].size - offset)
        return fail(-1, "read", message);
    if (fseeko(opened->file, opened->places[block].at + offset, SEEK_SET) != 0)
        return fail(errno, "seek", message);
    if (size > 0 && fread(into, size, 1, opened->file) != 1)
        return fail(ferror(opened->file) ? EIO : -1, "read", message);
    return 0;
}

const CPPC_Writer *CPPC_Get_writer(uint32_t version)
{
    static const CPPC_Writer writer = {
        .version = CPPC_WRITER_VERSION,
        .flags = CPPC_WRITER_BESIDE,
        .name = "toy",
        .signature = (const unsigned char *)SIGNATURE,
        .signature_size = SIGNATURE_SIZE,
        .write = toy_write,
        .open = toy_open,
        .read = toy_read,
        .close = toy_close,
    };
    return version == CPPC_WRITER_VERSION ? &writer : NULL;
}
