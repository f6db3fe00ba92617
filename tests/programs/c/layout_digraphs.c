/* Exercises: braces, brackets and directives that are written with digraphs. */
#include <stdio.h>

#include "check.h"

static int step(int value)
<%
    int k;
%:pragma cppc register(k, value)
    for (k = 0; k < 3 && value >= 0; k++) <%
%:pragma cppc checkpoint
        value += k;
    %>
    return value;
%>

int main(void)
<%
    int a<:5:> = <%1, 2, 3, 4, 5%>, i;
%:pragma cppc init
%:pragma cppc register(a<:5:>, i)
    for (i = 1; i <= 6; i++) <%
%:pragma cppc checkpoint
        a<:i % 5:> += i;
        while (step(a<:i % 5:>) < i) <%
            a<:i % 5:>++;
        %>
    %>
    for (i = 0; i < 5; i++) <%
        printf("%d\n", a<:i:>);
    %>
%:pragma cppc shutdown
    return 0;
%>
