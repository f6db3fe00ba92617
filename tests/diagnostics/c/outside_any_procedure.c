/* A checkpoint outside any procedure has nothing to run it. */
static int value;

  #pragma cppc checkpoint
//             ~~~~~~~~~~ error[C0403] `checkpoint` is outside of all procedures

int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return value;
}
