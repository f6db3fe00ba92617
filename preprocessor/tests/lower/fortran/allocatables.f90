subroutine work(n, out)
  integer, intent(in) :: n
  real, allocatable, intent(out) :: out(:)
  real, allocatable :: a(:, :), b(:)
  real, pointer :: p(:), q
  integer :: stat
  allocate(a(n, 0:n), stat=stat)
  allocate(b, source=a(:, 1))
  b = [1.0, 2.0]
  b(:) = 0
  p => b
  p(0:) => a(:, 1)
  q => p(3)
  nullify(p)
  if (allocated(b)) deallocate(b)
  call move_alloc(b, out)
end subroutine
