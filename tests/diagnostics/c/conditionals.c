/* Conditionals that do not fit together. */
int main(void)
{
#pragma cppc init
    #else
//  ~~~~~ error[C0108] `#else` without `#if`
    #if 1 +
//  ~~~ error[C0107] the expression is incomplete
    // the expression ends too early
    #endif
#pragma cppc shutdown
    return 0;
}
    #if 0
//  ~~~ error[C0102] the conditional does not end
