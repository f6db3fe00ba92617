/* A block inside a statement expression. */
int main(void)
{
    int k = 1;
#pragma cppc init
    k = ({
        #pragma cppc checkpoint
//                   ~~~~~~~~~~ error[C0405] `checkpoint` is in a statement expression
        k + 1;
    });
#pragma cppc shutdown
    return k - 2;
}
