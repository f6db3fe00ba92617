/* Where no directive can stand. */
#define MARK _Pragma("cppc checkpoint")
//                         ~~~~~~~~~~ error[C0401] `checkpoint` comes from the macro `MARK`
#define BEGIN {
#define END }

#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0403] `checkpoint` is outside of all procedures

int global =
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0403] `checkpoint` is outside of all procedures
    3;

void by_macro(void)
{
    int i = 0;
    MARK
    i++;
    _Pragma("cppc checkpoint")
    i++;
}

void within(int n)
{
    int i = 0;
    i = i +
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0407] `checkpoint` is within a statement
        1;
    if (n)
        i++;
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0407] `checkpoint` is within a statement
    else
        i--;
    int k =
#pragma cppc register(i)
//           ~~~~~~~~~~~ error[C0407] `register` is within a statement
        2;
    for (i = 0;
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0407] `checkpoint` is within a statement
         i < n; i++)
        ;
}

void statement_expression(int n)
{
    int x = ({
        int y = n;
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0405] `checkpoint` is in a statement expression
        y;
    });
    x++;
}

void nested(int n)
{
    void inner(void)
    {
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0404] `checkpoint` is in a nested function
        n;
    }
    inner();
}

void parallel(int n)
{
    int i;
#pragma cppc checkpoint
#pragma omp parallel for
    for (i = 0; i < n; i++) {
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0406] `checkpoint` is in a block of `#pragma omp parallel`
        ;
    }
#pragma omp parallel
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0406] `checkpoint` is in a block of `#pragma omp parallel`
    {
        n++;
    }
#pragma omp target update to(n)
#pragma cppc checkpoint
    i = 0;
}

void hidden(void)
BEGIN
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0408] `checkpoint` is in a procedure whose braces come from a macro
END

void fine(int n)
{
#pragma cppc init
    if (n)
#pragma cppc checkpoint
        n++;
    switch (n) {
    case 1:
#pragma cppc checkpoint
        n++;
    }
again:
#pragma cppc checkpoint
    n--;
    while (n > 0) {
#pragma cppc checkpoint
    }
#pragma cppc init
//           ~~~~ error[C0416] a second `init`
#pragma cppc shutdown
}
