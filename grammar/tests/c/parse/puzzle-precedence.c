int f(int a, int b, int c) {
    a = b + c * a - b << 1 < c == a & b ^ c | a && b || c;
    a = b = c ? a, b : c ? a : b;
    a = b - c - a * b / c % a;
    a += - b - - c - ~ - ! a;
    return a ?: b ?: c;
}
