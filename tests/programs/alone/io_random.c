/* Random work on files: SEED says which, STEPS how long. Each step opens, writes, reads, places, closes, renames or removes
 * something, as the documents allow: what is overwritten is not read.
 *
 *   DIE=N    the process dies before the N-th operation that it does itself
 * writes: files */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 5, NAMES = 3 };

/* What is done with a file, by the mode that opened it. */
static const char *modes[] = {"w", "a", "r+", "w+", "a+"};
static const int flags[] = {O_WRONLY | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND, O_RDWR | O_CREAT, O_RDWR | O_CREAT | O_TRUNC};

static FILE *stream[SLOTS], *input, *writer, *reader;
static int descriptor[SLOTS];
/* 0: closed, 1: a stream, 2: a descriptor. */
static int kind[SLOTS], generation[SLOTS], in_place[SLOTS], pair, fresh;
static uint64_t rng, sum;
static long operations, die = -1;

static unsigned below(unsigned limit)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (unsigned)(rng >> 11) % limit;
}

static void operation(void)
{
    if (++operations == die)
        kill(getpid(), SIGKILL);
}

static void fail(const char *what)
{
    perror(what);
    exit(5);
}

static void make(const char *name, int lines, int width)
{
    FILE *file;
    int i;

    if (access(name, F_OK) == 0)
        return;
    if ((file = fopen("making", "w")) == NULL)
        fail("making");
    for (i = 0; i < lines; i++)
        fprintf(file, "%0*d of %s\n", width, i * 7919 % 10007, name);
    fclose(file);
    rename("making", name);
}

static void put(int k)
{
    char text[4200];
    unsigned length = below(6) == 0 ? below(4000) : below(60), i;

    for (i = 0; i < length; i++)
        text[i] = (char)('a' + below(26));
    if (length > 0)
        text[length - 1] = '\n';
    operation();
    if (kind[k] == 1 && fwrite(text, 1, length, stream[k]) != length)
        fail("fwrite");
    if (kind[k] == 2 && write(descriptor[k], text, length) != (ssize_t)length)
        fail("write");
    operation();
}

static void place(int k)
{
    long to = below(700);

    if (!in_place[k])
        return;
    operation();
    if (kind[k] == 1 && fseek(stream[k], to, SEEK_SET) != 0)
        fail("fseek");
    if (kind[k] == 2 && lseek(descriptor[k], to, SEEK_SET) < 0)
        fail("lseek");
    if (below(3) == 0) {
        if (kind[k] == 1 && fseek(stream[k], 0, SEEK_END) != 0)
            fail("fseek");
        if (kind[k] == 2 && lseek(descriptor[k], 0, SEEK_END) < 0)
            fail("lseek");
    }
    put(k);
}

static void take(void)
{
    char line[200];
    unsigned i, n = below(5);

    operation();
    switch (below(4)) {
    case 0:
        fseek(input, below(3000), SEEK_SET);
        break;
    case 1:
        sum = sum * 31 + (unsigned)ftell(input);
        break;
    default:
        for (i = 0; i < n; i++) {
            if (fgets(line, (int)(2 + below(60)), input) == NULL) {
                rewind(input);
                break;
            }
            sum = sum * 33 + strlen(line) + (unsigned char)line[0];
        }
    }
}

static void finish(int k)
{
    operation();
    if (kind[k] == 1 && fclose(stream[k]) != 0)
        fail("fclose");
    if (kind[k] == 2 && close(descriptor[k]) != 0)
        fail("close");
    kind[k] = 0;
    operation();
}

int main(void)
{
    char name[40], final[40];
    int i, k, mode, steps = getenv("STEPS") != NULL ? atoi(getenv("STEPS")) : 60;

    rng = 88172645463325252u + 7919u * (getenv("SEED") != NULL ? strtoull(getenv("SEED"), NULL, 10) : 1);
    for (i = 0; i < 20; i++)
        below(2);
    die = getenv("DIE") != NULL ? atol(getenv("DIE")) : -1;
    make("input.txt", 120, 9);
    for (k = 0; k < SLOTS; k++)
        for (i = 0; i < NAMES; i++) {
            snprintf(name, sizeof name, "file-%d-%d", k, i);
            if (access("made", F_OK) != 0 && (k + i) % 2 == 0)
                make(name, 10 + k, 12);
        }
    make("made", 1, 1);
#pragma cppc init
#pragma cppc execute file(input, "input.txt")
    if ((input = fopen("input.txt", "r")) == NULL)
        fail("input.txt");
#pragma cppc end execute
#pragma cppc register(i, kind, generation, in_place, pair, fresh, rng, sum)
    for (i = 0; i < steps; i++) {
#pragma cppc checkpoint
        k = (int)below(SLOTS);
        switch (below(12)) {
        case 0:
        case 1:
            if (kind[k] != 0)
                break;
            generation[k] = (int)below(NAMES);
            snprintf(name, sizeof name, "file-%d-%d", k, generation[k]);
            mode = (int)below(5);
            if (mode == 2 && access(name, F_OK) != 0)
                mode = 3;
            operation();
#pragma cppc execute capture(k, mode, name) file(stream[k], name)
            stream[k] = fopen(name, modes[mode]);
#pragma cppc end execute
            if (stream[k] == NULL)
                fail(name);
            kind[k] = 1;
            in_place[k] = mode == 0 || mode == 2 || mode == 3;
            operation();
            break;
        case 2:
            if (kind[k] != 0)
                break;
            generation[k] = (int)below(NAMES);
            snprintf(name, sizeof name, "file-%d-%d", k, generation[k]);
            mode = (int)below(4);
            operation();
#pragma cppc execute capture(k, mode, name) file(descriptor[k], name)
            descriptor[k] = open(name, flags[mode], 0666);
#pragma cppc end execute
            if (descriptor[k] < 0)
                fail(name);
            kind[k] = 2;
            in_place[k] = mode != 1;
            operation();
            break;
        case 3:
            /* A file that must not be there, and is given another name when it is whole. */
            if (kind[k] != 0)
                break;
            snprintf(name, sizeof name, "fresh-%d", fresh);
            snprintf(final, sizeof final, "final-%d", fresh % 4);
            operation();
#pragma cppc execute capture(k, name) file(descriptor[k], name)
            descriptor[k] = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
#pragma cppc end execute
            if (descriptor[k] < 0)
                fail(name);
            kind[k] = 2;
            put(k);
            put(k);
            finish(k);
            if (below(3) != 0 && rename(name, final) != 0)
                fail("rename");
            fresh++;
            operation();
            break;
        case 4:
            /* A file that comes and goes. */
            if (kind[k] != 0)
                break;
            snprintf(name, sizeof name, "scratch-%d", k);
            operation();
#pragma cppc execute capture(k, name) file(stream[k], name)
            stream[k] = fopen(name, "w");
#pragma cppc end execute
            if (stream[k] == NULL)
                fail(name);
            kind[k] = 1;
            put(k);
            finish(k);
            if (below(2) == 0 && unlink(name) != 0)
                fail("unlink");
            operation();
            break;
        case 5:
            if (pair) {
                if (fclose(writer) != 0 || fclose(reader) != 0)
                    fail("pair");
                pair = 0;
                break;
            }
            operation();
#pragma cppc execute file(writer, "pair.txt") file(reader, "pair.txt")
            writer = fopen("pair.txt", "a");
            reader = fopen("pair.txt", "r");
#pragma cppc end execute
            if (writer == NULL || reader == NULL)
                fail("pair.txt");
            pair = 1;
            break;
        case 6:
            if (pair) {
                fprintf(writer, "%d %u\n", i, below(1000));
                fflush(writer);
                operation();
                if (fgets(name, sizeof name, reader) != NULL)
                    sum = sum * 35 + strlen(name) + (unsigned char)name[0];
                clearerr(reader);
            }
            break;
        case 7:
            if (kind[k] != 0)
                finish(k);
            break;
        case 8:
            take();
            break;
        case 9:
            if (kind[k] != 0)
                place(k);
            break;
        default:
            if (kind[k] != 0)
                put(k);
            else
                take();
        }
    }
    for (k = 0; k < SLOTS; k++)
        if (kind[k] != 0)
            finish(k);
    if (pair)
        fclose(writer);
    if ((writer = fopen("sum", "w")) == NULL)
        fail("sum");
    fprintf(writer, "%llu %llu\n", (unsigned long long)sum, (unsigned long long)rng);
    fclose(writer);
#pragma cppc shutdown
    return 0;
}
