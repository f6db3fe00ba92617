/* A function within a function, which GNU C has. */
int main(void)
{
    int total = 0;
    void add(int by)
    {
        #pragma cppc checkpoint
//                   ~~~~~~~~~~ error[C0404] `checkpoint` is in a nested function
        total += by;
    }
#pragma cppc init
    add(1);
#pragma cppc shutdown
    return total - 1;
}
