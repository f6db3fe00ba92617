/* A checkpoint inside an execute block would be met while the block is replayed. */
int main(void)
{
    int k = 1;
#pragma cppc init
#pragma cppc execute
    k = 2;
    #pragma cppc checkpoint
//               ~~~~~~~~~~ error[C0414] `checkpoint` within an `execute` block
#pragma cppc end execute
#pragma cppc shutdown
    return k - 2;
}
