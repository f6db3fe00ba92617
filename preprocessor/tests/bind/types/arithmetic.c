/* The usual arithmetic conversions and the promotions. */
enum color { red, green = 5, blue };
enum negative { below = -1, above };
typedef unsigned char byte;
struct bits { unsigned narrow : 3; unsigned full : 32; int plain; };

void f(char c, short s, unsigned u, long l, unsigned long ul, long long ll, float x, double d, long double ld)
{
    byte b = 0;
    _Bool t = 1;
    enum color e = red;
    enum negative n = below;
    struct bits w = { 0 };
    float _Complex fc = 0;
    double _Complex dc = 0;
    __int128 wide = 0;
    unsigned __int128 uwide = 0;

    c; // : char
    b; // : byte
    +c; // : int
    -b; // : int
    ~t; // : int
    !d; // : int
    c + s; // : int
    s * u; // : unsigned int
    u + l; // : long
    l + ul; // : unsigned long
    l + ll; // : long long
    ul + ll; // : unsigned long long
    u - 1; // : unsigned int
    u + x; // : float
    x * d; // : double
    d / ld; // : long double
    l + x; // : float
    u << l; // : unsigned int
    c << 1; // : int
    u < l; // : int
    d && c; // : int
    e; // : enum color
    e + 1; // : unsigned int
    n + 1; // : int
    red; // : int
    w.narrow + 1; // : int
    w.full + 1; // : unsigned int
    w.narrow; // : unsigned int
    fc + d; // : double _Complex
    fc * x; // : float _Complex
    dc + 1; // : double _Complex
    __real__ dc; // : double
    wide + ul; // : __int128
    wide + uwide; // : unsigned __int128
    t ? c : l; // : long
    t ?: u; // : unsigned int
    c = d; // : char
    c += d; // : char
    s++; // : short
    (c, d); // : double
    1.0f; // : float
    'a'; // : int
    0xffffffff; // : unsigned int
    10000000000; // : long
    sizeof c; // : unsigned long
    (short)d; // : short
    (byte)d; // : byte
    1.0if; // : float _Complex
}
