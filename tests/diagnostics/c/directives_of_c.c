/* Directives of C that are none, lack something, or end the translation. */
    #warning old
//  ~~~~~~~~~~~~ warning[C0106] old
    #error stop
//  ~~~~~~~~~~~ error[C0105] `#error` is reached: stop
    #unknown
//  ~~~~~~~~ error[C0117] `#unknown` is not a directive
    #include
//  ~~~~~~~~ error[C0118] expected the name of a header
    #line zero
//  ~~~~~ error[C0118] expected a line number

int main(void)
{
    _Pragma(cppc init)
//  ~~~~~~~ error[C0120] `_Pragma` needs one string
//                   ~ error[C0201] expected a statement or `}` before `)`
#pragma cppc shutdown
    return 0;
}
