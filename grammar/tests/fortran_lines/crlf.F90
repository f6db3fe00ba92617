#define N 10
program crlf
  x = 'a&
  &b' // & ! c
  N
end program
