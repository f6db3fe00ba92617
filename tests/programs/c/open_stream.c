/* Exercises: streams that are written while the program is killed: a log that only grows, with a line from
 * the block itself; a table that is written and read back, its place anywhere; nothing but what was buffered
 * at the checkpoint may come twice, and nothing may be lost.
 * writes: files */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

int main(void)
{
    FILE *log = NULL, *table = NULL;
    char buffer[64];
    int i, k, cell;
    Sum sum = SUM_START;

#pragma cppc init
#pragma cppc execute file(log, "log.txt") file(table, "table.bin")
    log = fopen("log.txt", "w");
    table = fopen("table.bin", "w+b");
    if (log == NULL || table == NULL)
        exit(1);
    setvbuf(log, NULL, _IOFBF, 200);
    fprintf(log, "# a line that the block writes\n");
    for (k = 0; k < 40; k++)
        fwrite(&k, sizeof k, 1, table);
#pragma cppc end execute
#pragma cppc register(i, sum)
    for (i = 0; i < 30; i++) {
#pragma cppc allow(C0713)
#pragma cppc checkpoint
        fprintf(log, "step %d", i);
        if (i % 4 == 3)
            fflush(log);
        for (k = 0; k < i % 7; k++)
            fprintf(log, " and %d more", k * i);
        if (i % 3 != 1)
            fputc('\n', log);
        /* Where the table stands depends on the steps before; what is read is never written again. */
        fseek(table, 0, SEEK_CUR);
        if (ftell(table) >= 20 * (long)sizeof cell)
            rewind(table);
        if (fread(&cell, sizeof cell, 1, table) != 1)
            exit(2);
        sum = sum_int(sum, cell);
        sum = sum_int(sum, (int)ftell(table));
        if (i % 5 == 2) {
            fseek(table, (long)sizeof cell * (20 + (i * 7) % 50), SEEK_SET);
            cell = i * 1000;
            fwrite(&cell, sizeof cell, 1, table);
        }
        snprintf(buffer, sizeof buffer, "%d %016llx", i, sum);
        puts(buffer);
    }
    fclose(log);
    fclose(table);
#pragma cppc shutdown
    return 0;
}
