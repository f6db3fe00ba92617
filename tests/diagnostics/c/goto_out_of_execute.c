/* Leaving an execute block by a jump would skip its end. */
int main(void)
{
    int k = 1;
#pragma cppc init
#pragma cppc execute
    if (k == 1)
        goto out;
//      ~~~~ error[C0417] a jump out of an `execute` block
    k = 2;
#pragma cppc end execute
out:
#pragma cppc checkpoint
#pragma cppc shutdown
    return k;
}
