/* `execute` and its end. */
void good(int n)
{
#pragma cppc execute
    n++;
    while (n) {
        if (n > 2)
            break;
        n--;
    }
#pragma cppc end execute
    switch (n) {
    case 1:
#pragma cppc execute on restart capture(n)
        n++;
#pragma cppc end execute
    }
}

void no_end(int n)
{
#pragma cppc execute
//           ~~~~~~~ error[C0411] `execute` without `end execute`
    n++;
}

void no_begin(int n)
{
    n++;
#pragma cppc end execute
//           ~~~~~~~~~~~ error[C0410] `end execute` without `execute`
}

void crossing(int n)
{
#pragma cppc execute
    if (n) {
        n++;
#pragma cppc end execute
//           ~~~~~~~~~~~ error[C0412] `execute` and `end execute` are in different constructs
    }
}

void within(int n)
{
#pragma cppc execute
#pragma cppc execute
//           ~~~~~~~ error[C0413] an `execute` block within another
    n++;
#pragma cppc checkpoint
//           ~~~~~~~~~~ error[C0414] `checkpoint` within an `execute` block
#pragma cppc register(n)
//           ~~~~~~~~~~~ error[C0414] `register` within an `execute` block
#pragma cppc end execute
}

void without_braces(int n)
{
    if (n)
#pragma cppc execute
//           ~~~~~~~ error[C0415] `execute` is at a position where only one statement is allowed
        n++;
#pragma cppc end execute
}

int jumps(int n)
{
    for (;;) {
#pragma cppc execute
        if (n == 1)
            return 1;
//          ~~~~~~ error[C0417] a jump out of an `execute` block
        if (n == 2)
            break;
//          ~~~~~ error[C0417] a jump out of an `execute` block
        if (n == 3)
            continue;
//          ~~~~~~~~ error[C0417] a jump out of an `execute` block
        if (n == 4)
            goto out;
//          ~~~~ error[C0417] a jump out of an `execute` block
inside:
        n++;
#pragma cppc end execute
        if (n == 9)
            goto inside;
//          ~~~~ error[C0417] a jump into an `execute` block
    }
out:
    switch (n) {
#pragma cppc execute
    case 3:
//  ~~~~ error[C0417] a jump into an `execute` block
        n++;
        goto here;
here:
        n++;
#pragma cppc end execute
    }
    return n;
}

void faulty(int n)
{
#pragma cppc execute capture(m)
//                           ~ error[C0421] unknown name `m`
    n++;
#pragma cppc end execute
#pragma cppc chekpoint
//           ~~~~~~~~~ error[C0301] unknown directive `chekpoint`
#pragma cppc register n
//                    ~ error[C0303] `register` needs a list in parentheses
#pragma cppc
//      ~~~~ error[C0302] the directive is missing
#pragma cppc register(n, \
                      )
//                    ~ error[C0304] an item of `register` is empty
}
