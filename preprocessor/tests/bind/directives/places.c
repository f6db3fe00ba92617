/* Where no directive can stand. */
#define MARK _Pragma("cppc checkpoint")
//                         ~~~~~~~~~~ error[C0401] `checkpoint` comes out of the macro `MARK`
#define BEGIN {
#define END }

#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0403] `checkpoint` stands outside any procedure

int global =
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0403] `checkpoint` stands outside any procedure
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
//           ~~~~~~~~~~ error[C0407] `checkpoint` stands within a statement
        1;
    if (n)
        i++;
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0407] `checkpoint` stands within a statement
    else
        i--;
    int k =
#pragma cppc register(i)
//           ~~~~~~~~~~~ error[C0407] `register` stands within a statement
        2;
    for (i = 0;
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0407] `checkpoint` stands within a statement
         i < n; i++)
        ;
}

void statement_expression(int n)
{
    int x = ({
        int y = n;
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0405] `checkpoint` stands in a statement expression
        y;
    });
    x++;
}

void nested(int n)
{
    void inner(void)
    {
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0404] `checkpoint` stands in a nested function
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
//           ~~~~~~~~~~ error[C0406] `checkpoint` stands in a block of `#pragma omp parallel`
        ;
    }
#pragma omp parallel
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0406] `checkpoint` stands in a block of `#pragma omp parallel`
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
//           ~~~~~~~~~~ error[C0408] `checkpoint` stands in a procedure whose braces come out of a macro
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
