/* A file as numbers, of C23. */
static const char text[] = {
    #embed "text"
//  ~~~~~~ error[C0119] `#embed` is not understood
};

int main(void)
{
#pragma cppc init
#pragma cppc shutdown
    return text[0];
}
