! A word that is nearly a directive.
program misspelt
  implicit none
  !$cppc init
  !$cppc chekpoint
!        ~~~~~~~~~ error[C0301] unknown directive `chekpoint`
end program misspelt
