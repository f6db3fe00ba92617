/* Literals of all sorts. */
"a" L"a" u"a" U"a" u8"a" 'a' L'a' u'a' U'a' "\"" '\'' '"' "'" "" "\\" '\\' "a\
b" R "a" RR"a"
1 1u 0x1F 1.5 .5 5. 1e5 1E-5 0x1.8p+3 1.5f 1.0L 1i 1.0fi 2.0j 0b11 1.5q 1.0f128 1.0df 1_000 1..2 0xe+1 1e+ 1.2.3 .1e+5-x 0x1p-3+1
1+1 1e 0xg 08 123abc 1.e1.e1
a.b a..b a...b a->b ++a+++b a<:0:> <% %> %: <::> a ? b : c ?: x
$dollar a$b _x __y é x
"caf" /* café */ "naïve"
