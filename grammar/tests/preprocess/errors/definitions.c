#define
//~~~~~~~ error[C0111] the name of a macro is missing
#define 1
//      ~ error[C0111] the name of a macro must be an identifier
#define defined
//      ~~~~~~~ error[C0111] `defined` cannot be a macro
#undef "x"
//     ~~~ error[C0111] the name of a macro must be an identifier
#define A(x, x) x
//           ~ error[C0111] the parameter `x` is declared twice
#define B(x
//         ~ error[C0111] the parameters must end with `)`
#define C(x, ) x
//           ~ error[C0111] a parameter must be an identifier or `...`
#define D(..., x) x
//           ~ error[C0111] the parameters must end with `)`
#define E(x) #y
//           ~ error[C0111] no parameter follows `#`
#define F ## x
//        ~~ error[C0111] there is no token before `##`
#define G x ##
//        ~ error[C0111] there is no token after `##`
#define H(x, ...) __VA_OPT__ x
//                ~~~~~~~~~~ error[C0111] `__VA_OPT__` needs parentheses
#define I(x, ...) __VA_OPT__(x
//                ~~~~~~~~~~ error[C0111] `__VA_OPT__` does not end
#define J(x, ...) __VA_OPT__(__VA_OPT__(x))
//                           ~~~~~~~~~~ error[C0111] `__VA_OPT__` is inside another `__VA_OPT__`
#define K 1
#define K 1
#define K 2
//      ~ warning[C0112] `K` is defined again with another body
#define L(a) a
#define L(b) b
//      ~ warning[C0112] `L` is defined again with another body
