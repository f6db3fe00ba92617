/* A directive in the middle of an expression or a declaration. */
int main(void)
{
    int i = 1 +
        #pragma cppc checkpoint
//                   ~~~~~~~~~~ error[C0407] `checkpoint` is within a statement
        2;
#pragma cppc init
#pragma cppc shutdown
    return i - 3;
}
