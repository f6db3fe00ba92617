/* Braces that are digraphs. */
void step(int n)
<%
%:pragma cppc register(n)
    while (n > 0) <%
%:pragma cppc checkpoint
        n--;
    %>
%>
