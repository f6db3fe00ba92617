/* What a caller owns is registered below, where its register does not live long enough. */
static void prepare(int *count, double field[3])
{
#pragma cppc register(*count)
//                    ~~~~~~ warning[C0506] `count` is registered, but no checkpoint is reached before its register ends
    *count = (int)field[0];
}

int main(void)
{
    double field[3] = {1, 2, 3};
    int count = 0;
#pragma cppc init
    prepare(&count, field);
#pragma cppc checkpoint
#pragma cppc shutdown
    return count - 1;
}
