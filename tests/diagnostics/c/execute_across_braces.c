/* An execute block that begins in one block of C and ends in another. */
int main(void)
{
    int k = 0;
#pragma cppc init
    if (k == 0) {
        #pragma cppc execute
        k = 1;
    }
    #pragma cppc end execute
//               ~~~~~~~~~~~ error[C0412] `execute` and `end execute` are in different constructs
#pragma cppc shutdown
    return k - 1;
}
