! Exercises: free form, directives anywhere on their line and continued, statements continued in the
! middle of words and strings, a construct whose parts stand on continued lines.
program free
  implicit none
  integer :: i, &
             turn
  real(8), dimension(8) &
      :: u, v
  character(len=20) :: text
  u = [(real(i, 8), i = 1, 8)]
  v = 0
  text = 'no&
         &thing'
      !$cppc init
  !$cppc register(u, v, &
  !$cppc&  turn, &
    !$cppc text)
  do turn = &
     1, 5
            !$cppc checkpoint   ! with a comment
    v = 0.5d0 * u &
      & + 0.25d0 * cshift(u, 1)
    if (mod(turn, 2) == 0 .and. &
        turn > 2) th&
        &en
      !$cppc check&
      !$cppc&point
      text = 'turn & ' // &  ! an ampersand that is text
             achar(64 + turn)
    end if
    u = v
    write (*, '(a, i2, 8(1x, z16.16), 1x, a)') 'u', turn, u, trim(text)
  end do
  !$cppc shutdown
end program free
