/* So has a register. */
static int value;
  #pragma cppc register(value)
//             ~~~~~~~~~~~~~~~ error[C0403] `register` is outside of all procedures

int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return value;
}
