/*
 * Places of calls in the source of the program.
 */
#include "layer.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

/* Stores `FILE:LINE` for an offset in an executable or a library. Returns false if it has no debug information. */
extern int cppc_line_of(const char *path, uint64_t offset, char *text, size_t size);

#define MOST_RANGES 64
static struct range {
    uintptr_t first, last;
} ranges[MOST_RANGES];
static int range_count = -1;

/* The libraries of MPI, and this one. */
static int add_library(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    const char *name = strrchr(info->dlpi_name, '/');
    name = name ? name + 1 : info->dlpi_name;
    int is_mpi = !strncmp(name, "libmpi", 6) || !strncmp(name, "libpmpi", 7) || !strncmp(name, "libcppc_messages", 16);
    for (int index = 0; is_mpi && index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type == PT_LOAD && header->p_flags & PF_X && range_count < MOST_RANGES) {
            uintptr_t first = info->dlpi_addr + header->p_vaddr;
            ranges[range_count++] = (struct range){first, first + header->p_memsz};
        }
    }
    return 0;
}

static int is_in_mpi(uintptr_t address)
{
    for (int index = 0; index < range_count; index++)
        if (address >= ranges[index].first && address < ranges[index].last)
            return 1;
    return 0;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *found)
{
    uintptr_t address = _Unwind_GetIP(context);
    if (!address || is_in_mpi(address))
        return _URC_NO_REASON;
    *(void **)found = (void *)address;
    return _URC_NORMAL_STOP;
}

/* The call in the program that led to a call which may come from a Fortran library of MPI. */
void *place_outside_mpi(void *address)
{
    if (range_count < 0) {
        range_count = 0;
        dl_iterate_phdr(add_library, NULL);
    }
    if (is_in_mpi((uintptr_t)address))
        _Unwind_Backtrace(visit, &address);
    return address;
}

struct object {
    uintptr_t address, bias;
    const char *name;
};

static int find_object(struct dl_phdr_info *info, size_t size, void *sought)
{
    (void)size;
    struct object *object = sought;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        uintptr_t first = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && object->address >= first && object->address < first + header->p_memsz) {
            object->bias = info->dlpi_addr;
            object->name = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
            return 1;
        }
    }
    return 0;
}

const char *place_text(void *place, char *text, size_t size)
{
    /* The call itself is before the address to which it returns. */
    struct object object = {(uintptr_t)place - 1, 0, NULL};
    Dl_info info;
    snprintf(text, size, "%p", place);
    if (!dl_iterate_phdr(find_object, &object))
        return text;
    if (cppc_line_of(object.name, object.address - object.bias, text, size))
        return text;
    const char *name = strrchr(object.name, '/');
    name = name ? name + 1 : object.name;
    if (dladdr((void *)object.address, &info) && info.dli_sname)
        snprintf(text, size, "`%s+%#lx`", info.dli_sname, (unsigned long)((uintptr_t)place - (uintptr_t)info.dli_saddr));
    else
        snprintf(text, size, "`%s+%#lx`", !strcmp(name, "exe") ? "the program" : name,
                 (unsigned long)(object.address - object.bias + 1));
    return text;
}
