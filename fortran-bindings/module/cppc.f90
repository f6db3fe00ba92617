! cppc.f90: checkpointing of Fortran programs, for calls written by hand.
!
! Made from the table in the crate cppc-abi; do not edit. docs/restart-model-fortran.md describes the calls.
! Arrays may have any rank up to 7. Compile it with the compiler of the program, and link with -lcppc, or with
! -lcppc_mpi in a program that uses MPI.
!
! A variable that is registered in place must keep its address: declare it in a module, or with SAVE. A compiler may
! assume that a checkpoint does not access a variable that is not its argument. So pass each registered variable to
! cppc_name, right before a checkpoint or a call that may reach one, and again right after it.

module cppc
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none

  ! Storage of a register, and statuses
  integer, parameter :: cppc_static = 33 ! the memory exists in a restart; the content is copied there
  integer, parameter :: cppc_automatic = 4 ! as CPPC_STATIC, and the register ends with its frame
  integer, parameter :: cppc_success = 0 ! done
  integer, parameter :: cppc_error_already_initialised = 1 ! CPPC_Init was called before
  integer, parameter :: cppc_error_null_argument = 2 ! an argument that must not be null is null
  integer, parameter :: cppc_error_unknown_type = 3 ! the type code is not known
  integer, parameter :: cppc_error_unknown_storage = 4 ! the storage flags contradict each other
  integer, parameter :: cppc_error_not_initialised = 5 ! CPPC_Init was not called
  integer, parameter :: cppc_error_not_registered = 6 ! nothing is registered there
  integer, parameter :: cppc_error_wrong_thread = 7 ! the call comes from another thread
  integer, parameter :: cppc_error_finished = 8 ! CPPC_Shutdown was called before
  integer, parameter :: cppc_error_internal = 9 ! internal error of the runtime; the message names the call
  integer, parameter :: cppc_error_communicator = 10 ! the processes cannot communicate (MPI_Init not called?)
  integer, parameter :: cppc_error_bad_settings = 11 ! a setting is wrong
  integer, parameter :: cppc_error_bad_description = 12 ! the fields do not describe a structure of that size
  integer, parameter :: cppc_error_not_written = 13 ! the last state file could not be written
  integer, parameter :: cppc_error_bad_shape = 14 ! the product of the extents is not the number of elements

  interface
    ! First call of the main program: removes the settings from the command line, if the compiler's library allows that.
    subroutine cppc_arguments()
    end subroutine

    ! Call it before cppc_init: a state file of a program with another fingerprint is refused.
    subroutine cppc_identify(fingerprint)
      character(len=*), intent(in) :: fingerprint
    end subroutine

    ! Starts the service, and finds the recovery line to resume from. Returns a status.
    integer function cppc_init()
    end function

    ! Ends the service. Returns a status.
    integer function cppc_shutdown()
    end function

    ! Opens a frame of a procedure with this number of blocks. Returns the block to jump to in a restart, else 0.
    integer function cppc_enter(procedure, blocks)
      character(len=*), intent(in) :: procedure
      integer, intent(in) :: blocks
    end function

    ! Closes the innermost frame.
    subroutine cppc_leave()
    end subroutine

    ! Begins a register block.
    subroutine cppc_block(block)
      integer, intent(in) :: block
    end subroutine

    ! Begins an execute block. Returns 1 in a normal run, 0 in a replay.
    integer function cppc_execute(block)
      integer, intent(in) :: block
    end function

    ! The block opens the file of this name, and `handle` refers to it; the first file is 1.
    subroutine cppc_file(file, name, handle)
      integer, intent(in) :: file
      character(len=*), intent(in) :: name, handle
    end subroutine

    ! Call it at the end of the block with its unit, and access and form from `inquire`. The result names what to do.
    ! 0: nothing. 1: write an empty text to it with advance='no'. 2: close it. 3: read without items from the unformatted
    ! stream, at the position from cppc_file_place. 4: write without items there. 5 and 6: the same for a formatted stream.
    ! 7: write an empty line there. 8 and 9: write the record, unformatted or formatted, that contains the byte before that
    ! position, and call this function again.
    integer function cppc_file_unit(file, unit, access, form)
      integer, intent(in) :: file, unit
      character(len=*), intent(in) :: access, form
    end function

    ! The position for the unit of the last cppc_file_unit.
    subroutine cppc_file_place(place)
      integer(8), intent(out) :: place
    end subroutine

    ! Begins a call. Returns 1 in a normal run, 0 in a replay.
    integer function cppc_call(block, callee)
      integer, intent(in) :: block
      character(len=*), intent(in) :: callee
    end function

    ! The call has returned. Returns 1 if saved values have to be restored.
    integer function cppc_return(block)
      integer, intent(in) :: block
    end function

    ! A checkpoint. Returns 1 if a restart has ended here.
    integer function cppc_do_checkpoint(id)
      integer, intent(in) :: id
    end function

    ! Ends a block. Returns 0 in a normal run, else the block to jump to.
    integer function cppc_jump_next()
    end function

    ! Returns 1 during a restart.
    integer function cppc_restarting()
    end function

    ! Returns 1 if registers with cppc_deferred have an effect now.
    integer function cppc_accepts_deferred()
    end function

    ! Returns 1 if registering the name now has an effect.
    integer function cppc_wants(name)
      character(len=*), intent(in) :: name
    end function

    ! Ends the register of this name.
    subroutine cppc_unregister(name)
      character(len=*), intent(in) :: name
    end subroutine

    subroutine cppc_not_contiguous(name)
      character(len=*), intent(in) :: name
    end subroutine

    subroutine named(a) bind(c, name='cppc_name_array_integer_4_')
      type(*), intent(inout) :: a(*)
    end subroutine
  end interface

  interface cppc_register
    subroutine cppc_register_integer_1(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      integer(int8), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_integer_2(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      integer(int16), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_integer_4(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      integer(int32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_integer_8(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      integer(int64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_logical_1(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      logical(1), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_logical_2(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      logical(2), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_logical_4(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      logical(4), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_logical_8(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      logical(8), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_real_4(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      real(real32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_real_8(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      real(real64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_complex_4(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      complex(real32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_complex_8(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      complex(real64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_character(section, x, name, storage)
      import
      integer, intent(in) :: section, storage
      character(len=*), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    module procedure register_integer_1_1, register_integer_1_2, register_integer_1_3, register_integer_1_4
    module procedure register_integer_1_5, register_integer_1_6, register_integer_1_7
    module procedure register_integer_2_1, register_integer_2_2, register_integer_2_3, register_integer_2_4
    module procedure register_integer_2_5, register_integer_2_6, register_integer_2_7
    module procedure register_integer_4_1, register_integer_4_2, register_integer_4_3, register_integer_4_4
    module procedure register_integer_4_5, register_integer_4_6, register_integer_4_7
    module procedure register_integer_8_1, register_integer_8_2, register_integer_8_3, register_integer_8_4
    module procedure register_integer_8_5, register_integer_8_6, register_integer_8_7
    module procedure register_logical_1_1, register_logical_1_2, register_logical_1_3, register_logical_1_4
    module procedure register_logical_1_5, register_logical_1_6, register_logical_1_7
    module procedure register_logical_2_1, register_logical_2_2, register_logical_2_3, register_logical_2_4
    module procedure register_logical_2_5, register_logical_2_6, register_logical_2_7
    module procedure register_logical_4_1, register_logical_4_2, register_logical_4_3, register_logical_4_4
    module procedure register_logical_4_5, register_logical_4_6, register_logical_4_7
    module procedure register_logical_8_1, register_logical_8_2, register_logical_8_3, register_logical_8_4
    module procedure register_logical_8_5, register_logical_8_6, register_logical_8_7
    module procedure register_real_4_1, register_real_4_2, register_real_4_3, register_real_4_4
    module procedure register_real_4_5, register_real_4_6, register_real_4_7
    module procedure register_real_8_1, register_real_8_2, register_real_8_3, register_real_8_4
    module procedure register_real_8_5, register_real_8_6, register_real_8_7
    module procedure register_complex_4_1, register_complex_4_2, register_complex_4_3, register_complex_4_4
    module procedure register_complex_4_5, register_complex_4_6, register_complex_4_7
    module procedure register_complex_8_1, register_complex_8_2, register_complex_8_3, register_complex_8_4
    module procedure register_complex_8_5, register_complex_8_6, register_complex_8_7
    module procedure register_character_1, register_character_2, register_character_3, register_character_4
    module procedure register_character_5, register_character_6, register_character_7
  end interface

  interface cppc_register_value
    subroutine cppc_register_value_integer_1(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      integer(int8), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_integer_2(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      integer(int16), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_integer_4(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      integer(int32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_integer_8(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      integer(int64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_logical_1(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      logical(1), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_logical_2(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      logical(2), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_logical_4(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      logical(4), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_logical_8(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      logical(8), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_real_4(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      real(real32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_real_8(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      real(real64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_complex_4(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      complex(real32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_complex_8(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      complex(real64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_register_value_character(section, slot, x, name, storage)
      import
      integer, intent(in) :: section, slot, storage
      character(len=*), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
  end interface

  interface cppc_save
    subroutine cppc_save_integer_1(slot, x)
      import
      integer, intent(in) :: slot
      integer(int8), intent(in) :: x
    end subroutine
    subroutine cppc_save_integer_2(slot, x)
      import
      integer, intent(in) :: slot
      integer(int16), intent(in) :: x
    end subroutine
    subroutine cppc_save_integer_4(slot, x)
      import
      integer, intent(in) :: slot
      integer(int32), intent(in) :: x
    end subroutine
    subroutine cppc_save_integer_8(slot, x)
      import
      integer, intent(in) :: slot
      integer(int64), intent(in) :: x
    end subroutine
    subroutine cppc_save_logical_1(slot, x)
      import
      integer, intent(in) :: slot
      logical(1), intent(in) :: x
    end subroutine
    subroutine cppc_save_logical_2(slot, x)
      import
      integer, intent(in) :: slot
      logical(2), intent(in) :: x
    end subroutine
    subroutine cppc_save_logical_4(slot, x)
      import
      integer, intent(in) :: slot
      logical(4), intent(in) :: x
    end subroutine
    subroutine cppc_save_logical_8(slot, x)
      import
      integer, intent(in) :: slot
      logical(8), intent(in) :: x
    end subroutine
    subroutine cppc_save_real_4(slot, x)
      import
      integer, intent(in) :: slot
      real(real32), intent(in) :: x
    end subroutine
    subroutine cppc_save_real_8(slot, x)
      import
      integer, intent(in) :: slot
      real(real64), intent(in) :: x
    end subroutine
    subroutine cppc_save_complex_4(slot, x)
      import
      integer, intent(in) :: slot
      complex(real32), intent(in) :: x
    end subroutine
    subroutine cppc_save_complex_8(slot, x)
      import
      integer, intent(in) :: slot
      complex(real64), intent(in) :: x
    end subroutine
    subroutine cppc_save_character(slot, x)
      import
      integer, intent(in) :: slot
      character(len=*), intent(in) :: x
    end subroutine
  end interface

  interface cppc_take
    subroutine cppc_take_integer_1(slot, x)
      import
      integer, intent(in) :: slot
      integer(int8), intent(inout) :: x
    end subroutine
    subroutine cppc_take_integer_2(slot, x)
      import
      integer, intent(in) :: slot
      integer(int16), intent(inout) :: x
    end subroutine
    subroutine cppc_take_integer_4(slot, x)
      import
      integer, intent(in) :: slot
      integer(int32), intent(inout) :: x
    end subroutine
    subroutine cppc_take_integer_8(slot, x)
      import
      integer, intent(in) :: slot
      integer(int64), intent(inout) :: x
    end subroutine
    subroutine cppc_take_logical_1(slot, x)
      import
      integer, intent(in) :: slot
      logical(1), intent(inout) :: x
    end subroutine
    subroutine cppc_take_logical_2(slot, x)
      import
      integer, intent(in) :: slot
      logical(2), intent(inout) :: x
    end subroutine
    subroutine cppc_take_logical_4(slot, x)
      import
      integer, intent(in) :: slot
      logical(4), intent(inout) :: x
    end subroutine
    subroutine cppc_take_logical_8(slot, x)
      import
      integer, intent(in) :: slot
      logical(8), intent(inout) :: x
    end subroutine
    subroutine cppc_take_real_4(slot, x)
      import
      integer, intent(in) :: slot
      real(real32), intent(inout) :: x
    end subroutine
    subroutine cppc_take_real_8(slot, x)
      import
      integer, intent(in) :: slot
      real(real64), intent(inout) :: x
    end subroutine
    subroutine cppc_take_complex_4(slot, x)
      import
      integer, intent(in) :: slot
      complex(real32), intent(inout) :: x
    end subroutine
    subroutine cppc_take_complex_8(slot, x)
      import
      integer, intent(in) :: slot
      complex(real64), intent(inout) :: x
    end subroutine
    subroutine cppc_take_character(slot, x)
      import
      integer, intent(in) :: slot
      character(len=*), intent(inout) :: x
    end subroutine
  end interface

  interface cppc_capture
    subroutine cppc_capture_integer_1(x, name)
      import
      integer(int8), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_integer_2(x, name)
      import
      integer(int16), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_integer_4(x, name)
      import
      integer(int32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_integer_8(x, name)
      import
      integer(int64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_logical_1(x, name)
      import
      logical(1), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_logical_2(x, name)
      import
      logical(2), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_logical_4(x, name)
      import
      logical(4), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_logical_8(x, name)
      import
      logical(8), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_real_4(x, name)
      import
      real(real32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_real_8(x, name)
      import
      real(real64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_complex_4(x, name)
      import
      complex(real32), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_complex_8(x, name)
      import
      complex(real64), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    subroutine cppc_capture_character(x, name)
      import
      character(len=*), intent(inout) :: x
      character(len=*), intent(in) :: name
    end subroutine
    module procedure capture_integer_1_1
    module procedure capture_integer_2_1
    module procedure capture_integer_4_1
    module procedure capture_integer_8_1
    module procedure capture_logical_1_1
    module procedure capture_logical_2_1
    module procedure capture_logical_4_1
    module procedure capture_logical_8_1
    module procedure capture_real_4_1
    module procedure capture_real_8_1
    module procedure capture_complex_4_1
    module procedure capture_complex_8_1
    module procedure capture_character_1
  end interface

  interface cppc_loop
    subroutine cppc_loop_integer_1(slot, first, last, step)
      import
      integer, intent(in) :: slot
      integer(int8), intent(inout) :: first, last, step
    end subroutine
    subroutine cppc_loop_integer_2(slot, first, last, step)
      import
      integer, intent(in) :: slot
      integer(int16), intent(inout) :: first, last, step
    end subroutine
    subroutine cppc_loop_integer_4(slot, first, last, step)
      import
      integer, intent(in) :: slot
      integer(int32), intent(inout) :: first, last, step
    end subroutine
    subroutine cppc_loop_integer_8(slot, first, last, step)
      import
      integer, intent(in) :: slot
      integer(int64), intent(inout) :: first, last, step
    end subroutine
  end interface

  ! Does nothing, but the compiler must assume that it accesses its argument.
  interface cppc_name
    subroutine named_scalar(x) bind(c, name='cppc_name_integer_4_')
      type(*), intent(inout) :: x
    end subroutine
    module procedure name_1, name_2, name_3, name_4, name_5, name_6, name_7
  end interface

  private
  public :: cppc_static, cppc_automatic, cppc_success, cppc_error_already_initialised
  public :: cppc_error_null_argument, cppc_error_unknown_type, cppc_error_unknown_storage, cppc_error_not_initialised
  public :: cppc_error_not_registered, cppc_error_wrong_thread, cppc_error_finished, cppc_error_internal
  public :: cppc_error_communicator, cppc_error_bad_settings, cppc_error_bad_description, cppc_error_not_written
  public :: cppc_error_bad_shape, cppc_arguments, cppc_identify, cppc_init
  public :: cppc_shutdown, cppc_enter, cppc_leave, cppc_block
  public :: cppc_execute, cppc_file, cppc_file_unit, cppc_file_place
  public :: cppc_call, cppc_return, cppc_do_checkpoint, cppc_jump_next
  public :: cppc_restarting, cppc_wants, cppc_unregister, cppc_register
  public :: cppc_register_value, cppc_save, cppc_take, cppc_capture
  public :: cppc_loop, cppc_name

contains

  subroutine register_integer_1_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int8), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_1
    if (is_contiguous(a)) then
      call cppc_register_array_integer_1(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_1_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int8), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_1_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int8), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_1_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int8), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_1_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int8), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_1_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int8), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_1_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int8), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_integer_1_1(a, name)
    integer(int8), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_integer_1
    if (is_contiguous(a)) then
      call cppc_capture_array_integer_1(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_2_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int16), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_2
    if (is_contiguous(a)) then
      call cppc_register_array_integer_2(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_2_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int16), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_2_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int16), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_2_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int16), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_2_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int16), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_2_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int16), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_2_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int16), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_integer_2_1(a, name)
    integer(int16), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_integer_2
    if (is_contiguous(a)) then
      call cppc_capture_array_integer_2(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_4_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int32), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_4
    if (is_contiguous(a)) then
      call cppc_register_array_integer_4(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_4_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int32), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_4_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int32), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_4_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int32), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_4_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int32), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_4_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int32), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_4_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int32), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_integer_4_1(a, name)
    integer(int32), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_integer_4
    if (is_contiguous(a)) then
      call cppc_capture_array_integer_4(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_8_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int64), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_8
    if (is_contiguous(a)) then
      call cppc_register_array_integer_8(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_8_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int64), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_8_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int64), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_8_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int64), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_8_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int64), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_8_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int64), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_integer_8_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    integer(int64), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_integer_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_integer_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_integer_8_1(a, name)
    integer(int64), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_integer_8
    if (is_contiguous(a)) then
      call cppc_capture_array_integer_8(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_1_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(1), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_1
    if (is_contiguous(a)) then
      call cppc_register_array_logical_1(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_1_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(1), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_1_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(1), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_1_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(1), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_1_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(1), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_1_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(1), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_1_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(1), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_1, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_1(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_logical_1_1(a, name)
    logical(1), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_logical_1
    if (is_contiguous(a)) then
      call cppc_capture_array_logical_1(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_2_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(2), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_2
    if (is_contiguous(a)) then
      call cppc_register_array_logical_2(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_2_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(2), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_2_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(2), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_2_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(2), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_2_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(2), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_2_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(2), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_2_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(2), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_2, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_2(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_logical_2_1(a, name)
    logical(2), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_logical_2
    if (is_contiguous(a)) then
      call cppc_capture_array_logical_2(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_4_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(4), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_4
    if (is_contiguous(a)) then
      call cppc_register_array_logical_4(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_4_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(4), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_4_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(4), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_4_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(4), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_4_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(4), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_4_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(4), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_4_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(4), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_logical_4_1(a, name)
    logical(4), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_logical_4
    if (is_contiguous(a)) then
      call cppc_capture_array_logical_4(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_8_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(8), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_8
    if (is_contiguous(a)) then
      call cppc_register_array_logical_8(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_8_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(8), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_8_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(8), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_8_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(8), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_8_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(8), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_8_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(8), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_logical_8_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    logical(8), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_logical_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_logical_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_logical_8_1(a, name)
    logical(8), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_logical_8
    if (is_contiguous(a)) then
      call cppc_capture_array_logical_8(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_4_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real32), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_4
    if (is_contiguous(a)) then
      call cppc_register_array_real_4(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_4_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real32), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_4_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real32), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_4_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real32), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_4_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real32), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_4_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real32), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_4_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real32), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_real_4_1(a, name)
    real(real32), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_real_4
    if (is_contiguous(a)) then
      call cppc_capture_array_real_4(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_8_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real64), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_8
    if (is_contiguous(a)) then
      call cppc_register_array_real_8(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_8_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real64), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_8_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real64), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_8_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real64), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_8_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real64), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_8_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real64), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_real_8_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    real(real64), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_real_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_real_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_real_8_1(a, name)
    real(real64), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_real_8
    if (is_contiguous(a)) then
      call cppc_capture_array_real_8(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_4_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real32), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_4
    if (is_contiguous(a)) then
      call cppc_register_array_complex_4(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_4_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real32), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_4_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real32), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_4_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real32), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_4_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real32), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_4_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real32), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_4_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real32), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_4, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_4(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_complex_4_1(a, name)
    complex(real32), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_complex_4
    if (is_contiguous(a)) then
      call cppc_capture_array_complex_4(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_8_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real64), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_8
    if (is_contiguous(a)) then
      call cppc_register_array_complex_8(section, a, size(a, kind=int64), name, storage)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_8_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real64), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_8_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real64), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_8_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real64), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_8_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real64), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_8_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real64), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_complex_8_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    complex(real64), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_complex_8, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_complex_8(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_complex_8_1(a, name)
    complex(real64), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_complex_8
    if (is_contiguous(a)) then
      call cppc_capture_array_complex_8(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_character_1(section, a, name, storage)
    integer, intent(in) :: section, storage
    character(len=*), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_character, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_character(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 1, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_character_2(section, a, name, storage)
    integer, intent(in) :: section, storage
    character(len=*), intent(inout) :: a(:, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_character, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_character(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 2, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_character_3(section, a, name, storage)
    integer, intent(in) :: section, storage
    character(len=*), intent(inout) :: a(:, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_character, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_character(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 3, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_character_4(section, a, name, storage)
    integer, intent(in) :: section, storage
    character(len=*), intent(inout) :: a(:, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_character, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_character(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 4, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_character_5(section, a, name, storage)
    integer, intent(in) :: section, storage
    character(len=*), intent(inout) :: a(:, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_character, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_character(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 5, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_character_6(section, a, name, storage)
    integer, intent(in) :: section, storage
    character(len=*), intent(inout) :: a(:, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_character, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_character(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 6, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine register_character_7(section, a, name, storage)
    integer, intent(in) :: section, storage
    character(len=*), intent(inout) :: a(:, :, :, :, :, :, :)
    character(len=*), intent(in) :: name
    external :: cppc_register_array_character, cppc_shape
    if (is_contiguous(a)) then
      call cppc_register_array_character(section, a, size(a, kind=int64), name, storage)
      call cppc_shape(name, 7, shape(a, kind=int64))
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine capture_character_1(a, name)
    character(len=*), intent(inout) :: a(:)
    character(len=*), intent(in) :: name
    external :: cppc_capture_array_character
    if (is_contiguous(a)) then
      call cppc_capture_array_character(a, size(a, kind=int64), name)
    else
      call cppc_not_contiguous(name)
    end if
  end subroutine

  subroutine name_1(a)
    type(*), intent(inout) :: a(:)
    if (is_contiguous(a)) call named(a)
  end subroutine

  subroutine name_2(a)
    type(*), intent(inout) :: a(:, :)
    if (is_contiguous(a)) call named(a)
  end subroutine

  subroutine name_3(a)
    type(*), intent(inout) :: a(:, :, :)
    if (is_contiguous(a)) call named(a)
  end subroutine

  subroutine name_4(a)
    type(*), intent(inout) :: a(:, :, :, :)
    if (is_contiguous(a)) call named(a)
  end subroutine

  subroutine name_5(a)
    type(*), intent(inout) :: a(:, :, :, :, :)
    if (is_contiguous(a)) call named(a)
  end subroutine

  subroutine name_6(a)
    type(*), intent(inout) :: a(:, :, :, :, :, :)
    if (is_contiguous(a)) call named(a)
  end subroutine

  subroutine name_7(a)
    type(*), intent(inout) :: a(:, :, :, :, :, :, :)
    if (is_contiguous(a)) call named(a)
  end subroutine

end module cppc
