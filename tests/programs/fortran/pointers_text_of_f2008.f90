! With an option for a standard before Fortran 2018, the translation of pointers with `len=:` to arrays keeps to this standard.
!
! flags: -std=f2008
! compilers: gfortran
program pointers_text_of_f2008
  implicit none
  character(len=:), pointer :: words(:)
  integer :: i
  nullify (words)
  !$cppc init
  !$cppc register(words, i)
  do i = 1, 4
    !$cppc checkpoint
    if (associated(words)) print *, lbound(words), len(words), words
    if (i == 2) then
      allocate (character(len=3) :: words(0:2))
      words = 'abc'
    end if
  end do
  !$cppc shutdown
end program pointers_text_of_f2008
