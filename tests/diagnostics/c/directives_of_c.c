/* Directives of C that are none, lack something, or end the translation. */
    #warning old
//  ~~~~~~~~~~~~ warning[C0106]
    #error stop
//  ~~~~~~~~~~~ error[C0105] '`#error`'
    #unknown
//  ~~~~~~~~ error[C0117] '`#unknown`'
    #include
//  ~~~~~~~~ error[C0118]
    #line zero
//  ~~~~~ error[C0118]

int main(void)
{
    _Pragma(cppc init)
//  ~~~~~~~ error[C0120] '`_Pragma`'
//                   ~ error[C0201] '`}`' '`)`'
#pragma cppc shutdown
    return 0;
}
