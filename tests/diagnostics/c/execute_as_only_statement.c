/* The body of an `if` without braces has room for one statement only. */
int main(void)
{
    int k = 0;
#pragma cppc init
    if (k == 0)
        #pragma cppc execute
//                   ~~~~~~~ error[C0415] `execute` is at a position where only one statement is allowed
        k = 1;
    #pragma cppc end execute
#pragma cppc checkpoint
#pragma cppc shutdown
    return k - 1;
}
