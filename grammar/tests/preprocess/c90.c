/* flags: -std=c90 */
inline restrict asm u8"x" U"x" L"x" linux
a ??( 0 ??) /* // */ b
