/* A comment without an end. */
int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return 0;
} /* and so on
//~~ error[C0103] the comment does not end
