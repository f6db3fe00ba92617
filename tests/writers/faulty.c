/* Writers that do not keep their promises, one for each macro. */

#include <cppc_writer.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Writers that are loaded side by side need signatures of their own. */
#ifdef HUGE_SEAL
#define SIGNATURE "selfish\n"
#else
#define SIGNATURE "faulty!\n"
#endif

static int faulty_write(const CPPC_Writer_state *state, const char *path, char *message)
{
    (void)state;
    (void)path;
#if defined(LIES)
    (void)message;
    return 0;
#elif defined(MUTE)
    (void)message;
    return ENOSPC;
#else
    /* Without an end, and with letters that steer a terminal. */
    memset(message, '\033', CPPC_WRITER_MESSAGE_SIZE);
    memcpy(message, "the moon is full", 16);
    return -1;
#endif
}

static int faulty_open(const char *path, CPPC_Writer_input *input, char *message)
{
    (void)path;
    (void)message;
#if defined(HUGE_SEAL)
    input->seal = (const unsigned char *)SIGNATURE;
    input->seal_size = UINT64_MAX;
#else
    (void)input;
#endif
    return 0;
}

static int faulty_read(void *file, uint64_t block, uint64_t offset, uint64_t size, void *into, char *message)
{
    (void)file, (void)block, (void)offset, (void)size, (void)into, (void)message;
    return -1;
}

static void faulty_close(void *file)
{
    (void)file;
}

#ifndef NO_ENTRY
const CPPC_Writer *CPPC_Get_writer(uint32_t version)
{
    static const CPPC_Writer writer = {
#ifdef OTHER_VERSION
        .version = 99,
#else
        .version = CPPC_WRITER_VERSION,
#endif
        .name = "faulty",
#ifdef LIKE_BINARY
        .signature = (const unsigned char *)"BCPPC\r\n\x1a",
#else
        .signature = (const unsigned char *)SIGNATURE,
#endif
        .signature_size = 8,
#ifndef NO_WRITE
        .write = faulty_write,
#endif
        .open = faulty_open,
        .read = faulty_read,
        .close = faulty_close,
    };
    (void)version;
    (void)faulty_write;
#ifdef NO_TABLE
    return (void)writer.version, NULL;
#else
    return &writer;
#endif
}
#endif
