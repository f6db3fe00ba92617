#if
//~ C0107 `#if` without an expression
#elif 1 +
//~~~ C0107 the expression is incomplete
#elif 1 2
//      ~ C0107 no operator before `2`
#elif F(1)
//     ~ C0107 no operator before `(`
#elif 1 / 0
//      ~ C0107 division by zero in `#if`
#elif 1.0
//    ~~~ C0107 `1.0` is not an integer
#elif (1
//~~~ C0107 `)` is missing
#elif defined
//~~~ C0107 `defined` needs the name of a macro
#elif defined(X
//~~~ C0107 `)` is missing after `defined`
#elif "x"
//    ~~~ C0107 a string has no value in `#if`
#elif 1 ? 2
//~~~ C0107 `:` is missing
#elif 99999999999999999999
//    ~~~~~~~~~~~~~~~~~~~~ C0107 `99999999999999999999` is too large
#elif 1 @ 2
//      ~ C0107 no operator before `@`
#elif = 1
//    ~ C0107 `=` is not allowed in `#if`
#elif __has_include
//    ~~~~~~~~~~~~~ C0107 `__has_include` needs an argument in parentheses
#endif
int after;
