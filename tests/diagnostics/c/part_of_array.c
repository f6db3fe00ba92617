/* Brackets at the end of an array say how many of its elements, which may not be what was meant. */
int main(void)
{
    double grid[6] = {0};
#pragma cppc init
#pragma cppc register(grid[5])
//                    ~~~~~~~ warning[C0441] only 5 of the 6 elements of `grid` are registered
#pragma cppc checkpoint
#pragma cppc shutdown
    return (int)grid[0];
}
