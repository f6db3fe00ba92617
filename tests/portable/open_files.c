/* Files that stay open from one machine to the next: a stream that is written, one that is written and read again, a
 * descriptor. */

#include "dying.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static long total;

static void show(const char *name)
{
    FILE *file = fopen(name, "r");
    int byte, count = 0;
    unsigned long hash = 7;
    while ((byte = getc(file)) != EOF) { hash = (hash * 31 + byte) % 1000003; count++; }
    printf("%s %d %lu\n", name, count, hash);
    fclose(file);
}

int main(int argc, char **argv)
{
    FILE *log, *table;
    int raw, turn, i;
    char line[40];
#pragma cppc init
#pragma cppc execute file(log, "log.txt") file(table, "table.bin")
    log = fopen("log.txt", "w");
    table = fopen("table.bin", "w+");
    fprintf(log, "turn total\n");
    for (i = 0; i < 5000; i++) fputc('a' + i % 26, table);
#pragma cppc end execute
#pragma cppc execute file(raw, "raw.txt")
    raw = open("raw.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
#pragma cppc end execute
#pragma cppc register(turn, total)
    for (turn = 0; turn < 4; turn++) {
        fprintf(log, "%d %ld\n", turn, total);
#pragma cppc checkpoint
        maybe_die(turn + 1);
        total = total * 7 + turn + 1;
        fseek(table, 100 * turn + 3, SEEK_SET);
        i = fgetc(table);
        fseek(table, 100 * turn + 2, SEEK_SET);
        fputc(i == EOF ? '?' : i - 32, table);
        sprintf(line, "%ld;", total);
        if (write(raw, line, strlen(line)) < 0) return 1;
    }
    fclose(log);
    fclose(table);
    close(raw);
    show("log.txt");
    show("table.bin");
    show("raw.txt");
#pragma cppc shutdown
    return 0;
}
