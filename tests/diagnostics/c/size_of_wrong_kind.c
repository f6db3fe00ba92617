/* Sizes that are none: of something without elements, no integer, negative, another than the array's. */
int main(void)
{
    double grid[6] = {0}, *p = grid, x = 2, (*rows)[3] = 0;
    int i = 0;
#pragma cppc init
#pragma cppc register(i[3])
//                     ~~~ error[C0426] `i[3]` has no elements to count
#pragma cppc register(p[x])
//                     ~~~ error[C0427] the size of `p` is not an integer
#pragma cppc register(p[-1])
//                     ~~~~ error[C0427] the size of `p` is negative
#pragma cppc register(grid[7])
//                    ~~~~~~~ error[C0427] `grid` has 6 elements, not 7
#pragma cppc register(grid[2][3])
//                           ~~~ error[C0426] `grid[2][3]` has no elements to count
#pragma cppc register(rows[2][3][4])
//                              ~~~ error[C0426] `rows[2][3][4]` has no elements to count
#pragma cppc register(p[2][x])
//                        ~~~ error[C0427] the size of `p` is not an integer
#pragma cppc checkpoint
#pragma cppc shutdown
    return (int)*p + i + (rows != 0);
}
