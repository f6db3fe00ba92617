! Pointers to characters whose length is deferred, to memory that another registered variable has: scalars, arrays with lower
! bounds.
!
! With an option for a standard before Fortran 2018, such arrays are not restored. So this program is not in such a standard.
program pointers_text
  implicit none
  character(len=:), pointer :: text, same, words(:), later(:)
  integer*4 :: i
  nullify (text, same, words, later)
  !$cppc init
  !$cppc register(text, same, words, later, i)
  do i = 1, 8
    !$cppc checkpoint
    if (associated(text)) print *, len(text), text, associated(same, text)
    if (associated(words)) print *, lbound(words), ubound(words), len(words), words
    if (associated(later)) print *, lbound(later), ubound(later), len(later), later
    if (mod(i, 3) == 1) then
      allocate (character(len=i) :: text)
      text = repeat('b', i)
      same => text
      allocate (character(len=i + 1) :: words(0:i))
      words = repeat('c', i)
      words(1) = 'q'
      later(5:) => words
    end if
    if (i == 6) same => null()
    if (associated(same)) same(1:1) = 'x'
    if (associated(later)) later(6)(2:2) = 'y'
  end do
  !$cppc shutdown
  print *, text, words, later
end program pointers_text
