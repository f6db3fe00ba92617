/* Two types in one declaration, where a semicolon is missing. */
typedef double Real;

static Real int width;
//          ~~~ warning[C0206] two types in one declaration

int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return width;
}
