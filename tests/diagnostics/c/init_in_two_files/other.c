/* The second `init`. */
void other(void);

void other(void)
{
    #pragma cppc init
  //~~~~~~~~~~~~~~~~~ error[C0508] 'init'
}
