/* Each row of a table of pointers. */
void work(double **rows, int n)
{
    int i;

#pragma cppc register(n)
    for (i = 0; i < n; i++) {
#pragma cppc register(rows[i][n])
    }
#pragma cppc checkpoint
}
