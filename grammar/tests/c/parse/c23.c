// accepted by: gcc-15 -std=gnu23
// What is cheap of C23.
[[nodiscard]] int a(void);
[[deprecated("old"), gnu::unused]] static int b [[maybe_unused]] = 1;
struct [[deprecated]] s { [[maybe_unused]] int c; int d [[maybe_unused]]; };
enum e : unsigned char { F [[deprecated]], G = 3 };
enum : long { H = 1 };
static_assert(true);
static_assert(sizeof(bool) == 1, "one");
thread_local int tls;
alignas(16) char aligned[alignof(double)];
typeof(int *) pointer = nullptr;
typeof_unqual(const int) plain;
bool f(bool x, bool, const bool y) { bool z = true; return x && y || !z == false; }
int g([[maybe_unused]] int x) {
    switch (x) {
    case 1:
        x++;
        [[fallthrough]];
    case 2:
        int declared = 3;
        return declared;
    default:
    }
    [[maybe_unused]] int y = 1;
    if (x) [[likely]] x = 2; else [[unlikely]] x = 3;
    [[clang::nomerge]] x++;
label:
    int after = 4;
    if (after > 4) goto label;
    return y;
end:
}
void h(void) { goto end; end: }
int variadic(...);
enum flags { none };
struct bits { enum e x : 2; };
