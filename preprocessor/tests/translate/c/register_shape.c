/* An array with more than one dimension has a shape in the state file. */
void work(double *u, int rows, int columns)
{
#pragma cppc register(rows, columns, u[rows][columns])
#pragma cppc checkpoint
}
