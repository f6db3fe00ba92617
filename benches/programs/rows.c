/* Registers each row of a table, writes one state, and ends without `shutdown`. A restart ends directly after
 * the checkpoint. The arguments are the number of rows and the number of values of each. */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    long rows = atol(argv[1]), values = atol(argv[2]), row, value;
    double **table = malloc(rows * sizeof *table);
#pragma cppc init
#pragma cppc register(table[rows], values)
    for (row = 0; row < rows; row++) {
        table[row] = malloc(values * sizeof **table);
        for (value = 0; value < values; value++) table[row][value] = row + value;
#pragma cppc register(table[row][values])
    }
#pragma cppc checkpoint
    _exit(table[rows - 1][values - 1] != rows + values - 2);
}
