/* So has a register. */
static int value;
  #pragma cppc register(value)
//             ~~~~~~~~~~~~~~~ error[C0403] `register` stands outside any procedure

int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return value;
}
