/* Lines that go on, comments in odd places, blanks of all sorts. */
int a\
b = 1\
2; // a comment \
that goes on
#def\
ine SPLICED(x\
) x +\
 x
SPLICED(1) "str\
ing" 'a\
' /\
* comment *\
/ after /\
/ line comment
+\
+ >\
>\
= .\
.\
. -\
>
x /* a /* b */ y /**/z /***/ /* **/ w // c /* d
a//**/b
#define EMPTY_TAIL x \

EMPTY_TAIL
#define T1	tabs	and	blanks 
T1
#   define    INDENTED   1   
	#	define TABBED 2
INDENTED TABBED
#define C1 /* one */ 1 /* two */ + /* three
*/ 2
C1
#define O() o
#define P ()
O P O () O
() O/**/() O P
#undef O
O()
