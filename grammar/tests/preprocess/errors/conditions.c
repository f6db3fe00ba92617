#if
//~~~ error[C0107] `#if` without an expression
#elif 1 +
//~~~~~ error[C0107] the expression is incomplete
#elif 1 2
//      ~ error[C0107] no operator before `2`
#elif F(1)
//     ~ error[C0107] no operator before `(`: is the macro before it not defined?
#elif 1 / 0
//      ~ error[C0107] division by zero in `#if`
#elif 1.0
//    ~~~ error[C0107] `1.0` is not an integer
#elif (1
//~~~~~ error[C0107] `)` is missing
#elif defined
//~~~~~ error[C0107] `defined` needs the name of a macro
#elif defined(X
//~~~~~ error[C0107] `)` is missing after `defined`
#elif "x"
//    ~~~ error[C0107] a string has no value in `#if`
#elif 1 ? 2
//~~~~~ error[C0107] `:` is missing
#elif 99999999999999999999
//    ~~~~~~~~~~~~~~~~~~~~ error[C0107] `99999999999999999999` is too large
#elif 1 @ 2
//      ~ error[C0107] no operator before `@`
#elif = 1
//    ~ error[C0107] `=` is not allowed in `#if`
#elif __has_include
//    ~~~~~~~~~~~~~ error[C0107] `__has_include` needs an argument in parentheses
#endif
int after;
