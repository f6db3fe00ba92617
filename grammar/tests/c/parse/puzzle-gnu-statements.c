typedef int T;
int f(int x) {
    __label__ inner, other;
    int nested(int y) { return y + x; }
    auto int later(T);
    void *target = x ? &&inner : &&other;
    goto *target;
inner:
    x = ({ int T = 1; T; }) + ({ T y = 2; y; });
other:
    switch (x) {
    case 1 ... 3: case 5: x = 4; break;
    case 'a'...'z': { T z = 1; x = z; }
    default: ;
    }
    int later(T a) { return a; }
    __extension__ T w = __extension__ 3;
    __extension__ (x = w);
    return nested(x) + later(w);
}
