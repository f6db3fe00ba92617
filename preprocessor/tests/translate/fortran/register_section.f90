subroutine work(sites, n)
  implicit none
  type site
    integer :: id
    real(8) :: link(3, 0:1)
  end type site
  integer, intent(in) :: n
  type(site) :: sites(:)
!$cppc register(sites(:)%link, sites(2:n)%id)
!$cppc checkpoint
!$cppc unregister(sites(:)%link, sites(2:n)%id)
end subroutine work

program main
  implicit none
!$cppc init
!$cppc shutdown
end program main
