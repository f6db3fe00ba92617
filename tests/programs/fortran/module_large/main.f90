! Exercises: a module of which many variables are registered, so that only the module re-passes them. Scalars stay in
! processor registers if the compiler does not know that a restart changes them. Variables under other names, private
! ones, and memory that moves.
!
! order: field.f90 main.f90 pause.f90
program main
  use field, energies => energy
  implicit none
  integer :: k
  allocate (cells(n, 2), growing(1), scalar)
  cells = 1
  growing = 0
  scalar = 5
  halves = 0.5d0
  window => buffer(2:5)
  do k = 1, 3
    allocate (tiles(k)%u(k))
    tiles(k)%u = k
  end do
  !$cppc init
  !$cppc register(step, total, count, is_even, phase, name, names, energies, momentum, matrix, halves)
  !$cppc register(position, corners, cells, growing, scalar, buffer, window, tiles)
  call begin_history()
  do step = 1, 5
    total = total + step
    energies = energies + 0.5d0 * step
    call advance()
    total = total + 1
    print *, step, total, count, is_even, phase, name, names, energies
  end do
  print *, momentum, matrix, halves, same
  print *, position, corners, cells, growing, scalar, window, buffer
  do k = 1, 3
    print *, tiles(k)%u
  end do
  call report()
  !$cppc shutdown
end program main

! Its loop changes scalars between checkpoints.
subroutine advance()
  use field
  implicit none
  integer :: k
  do k = 1, 2
    count = count * 3 + k
    is_even = mod(step, 2) == 0
    phase = phase * (0, 1)
    momentum = momentum + k * halves
    same(k) = same(k) + 1
    matrix(:, k) = matrix(:, k) + energy
    write (name, '(i5)') step
    names(k) = name
    position%x = position%x + k
    corners(k)%id = corners(k)%id + step
    growing = [growing, real(k, real64)]
    cells = cells + growing(size(growing))
    if (k == 2) then
      deallocate (scalar, tiles(step - step / 3 * 3 + 1)%u)
      allocate (scalar, tiles(step - step / 3 * 3 + 1)%u(step))
      scalar = step
      tiles(step - step / 3 * 3 + 1)%u = step
      window => buffer(step:step + 3)
    end if
    window = window + step
    call note(energy + k)
    energy = energy + count * 1d-3
  end do
end subroutine advance
