/* A sentinel that is nearly right is most likely meant for us: it is said, and that is all. */
int main(void)
{
    int i = 0;
#pragma cppc init
    #pragma cpcc checkpoint
//          ~~~~ warning[C????] '`cpcc`' '`cppc`'
#pragma cppc checkpoint
#pragma cppc shutdown
    return i;
}
