#define ONE(a) a
#define TWO(a, b) a b
#define NONE() 0
#define PASTE(a, b) a ## b
#define MANY(a, b, ...) a
int a = ONE(1, 2);
//      ~~~ error[C0109] the macro `ONE` takes 1 argument, not 2
int b = TWO(1);
//      ~~~ error[C0109] the macro `TWO` takes 2 arguments, not 1
int c = NONE(1);
//      ~~~~ error[C0109] the macro `NONE` takes 0 arguments, not 1
int d = MANY(1, 2);
int e = PASTE(a, +) ;
//      ~~~~~~~~~~~ error[C0113] `##` does not make one token of `a` and `+`
#define WITHIN PASTE(-, >) PASTE(=, >)
int f = WITHIN;
//      ~~~~~~ error[C0113] `##` does not make one token of `=` and `>`
int g = MANY(1, 2) MANY;
int h = TWO(1, (2, 3);
//      ~~~ error[C0110] the arguments of `TWO` do not end
