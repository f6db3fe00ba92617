call s('a&

  ! a comment

  &b', & ! c1
  # & not
  c)
print *, "it's &
  & & ' still" ; x = 1; &
  y = 2
if (x > 0) & ; then
end if
