/* So has a register. */
static int value;
  #pragma cppc register(value)
//~~~~~~~~~~~~~~~~~~~~~~~~~~~~ error[C????] 'outside' 'procedure'

int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return value;
}
