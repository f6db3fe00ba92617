/* A call in a place where no statement can be put before it: a case label's neighbour is fine, a
 * static initialiser cannot call at all and is the compiler's affair, but the size of an array in a
 * declaration is evaluated with it. */
static int size(void)
{
#pragma cppc checkpoint
    return 4;
}

int main(void)
{
    int sum = 0;
#pragma cppc init
    {
        char text[size()];
        //        ~~~~~~ error[C????] '`size`'
        text[0] = 0;
        sum += text[0];
    }
#pragma cppc shutdown
    return sum;
}
