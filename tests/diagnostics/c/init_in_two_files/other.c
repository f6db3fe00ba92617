/* The second `init`. */
void other(void);

void other(void)
{
    #pragma cppc init
//  ~~~~~~~~~~~~~~~~~ error[C0508] a second `init` directive in this program
}
