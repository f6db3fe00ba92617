// `unsigned t : 4` names a field `t`; `const t : 5` is an unnamed field of type `t`.
typedef signed int t;
typedef int plain;
struct tag {
    unsigned t : 4;
    const t : 5;
    plain r : 5;
    t : 0;
};
struct tag v = { .t = 1 };
