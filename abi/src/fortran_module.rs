//! Writes `module cppc`.
//!
//! Input: the tables.
//! Output: the source of a Fortran module for calls that are written by hand: generic procedures over types
//! and ranks.
//! Postcondition: it is Fortran 2018 for every compiler with the usual kinds.

use std::fmt::Write;

use crate::routines::types;
use crate::statuses::STATUSES;
use crate::storage::{AUTOMATIC, FLAGS, STATIC};
use crate::types::{Class, Type};

/// The ranks of the arrays that generic procedures accept.
const RANKS: std::ops::RangeInclusive<usize> = 1..=7;

/// The text of `cppc.f90`.
pub fn fortran_module() -> String {
    let mut text = String::from(OPENING);
    for flag in FLAGS.iter().filter(|flag| [STATIC, AUTOMATIC].contains(&flag.value)) {
        constant(&mut text, flag.name, flag.value_in_fortran(), flag.meaning);
    }
    for entry in STATUSES {
        constant(&mut text, entry.name, entry.status as i32, entry.meaning);
    }
    text.push_str(PLAIN);
    for generic in GENERICS {
        interface(&mut text, generic);
    }
    text.push_str(NAMING);
    text.push_str("\n  private\n");
    let mut public: Vec<String> = FLAGS
        .iter()
        .filter(|flag| [STATIC, AUTOMATIC].contains(&flag.value))
        .map(|flag| flag.name.to_ascii_lowercase())
        .collect();
    public.extend(STATUSES.iter().map(|entry| entry.name.to_ascii_lowercase()));
    public.extend(PUBLIC.iter().map(|name| format!("cppc_{name}")));
    for names in public.chunks(4) {
        let _ = writeln!(text, "  public :: {}", names.join(", "));
    }
    text.push_str("\ncontains\n");
    for found in common() {
        RANKS.for_each(|rank| array(&mut text, "register", found, rank));
        array(&mut text, "capture", found, 1);
    }
    for rank in RANKS {
        let dimensions = dimensions(rank);
        let _ = write!(
            text,
            "\n  subroutine name_{rank}(a)\n    type(*), intent(inout) :: a({dimensions})\n    \
             if (is_contiguous(a)) call named(a)\n  end subroutine\n"
        );
    }
    text.push_str("\nend module cppc\n");
    text
}

fn constant(text: &mut String, name: &str, value: i32, meaning: &str) {
    let name = name.to_ascii_lowercase();
    let _ = writeln!(text, "  integer, parameter :: {name} = {value} ! {meaning}");
}

/// A procedure for every type: its arguments, and which of them are the variables of that type.
struct Generic {
    name: &'static str,
    arguments: &'static [&'static str],
    variables: &'static [&'static str],
    /// The intent of the variables.
    intent: &'static str,
    /// The names of text arguments.
    texts: &'static [&'static str],
    integers_only: bool,
    /// The ranks for which this module has procedures for arrays.
    arrays: std::ops::Range<usize>,
}

const GENERICS: &[Generic] = &[
    Generic {
        name: "register",
        arguments: &["section", "x", "name", "storage"],
        variables: &["x"],
        intent: "inout",
        texts: &["name"],
        integers_only: false,
        arrays: 1..8,
    },
    Generic {
        name: "register_value",
        arguments: &["section", "slot", "x", "name", "storage"],
        variables: &["x"],
        intent: "inout",
        texts: &["name"],
        integers_only: false,
        arrays: 0..0,
    },
    Generic {
        name: "save",
        arguments: &["slot", "x"],
        variables: &["x"],
        intent: "in",
        texts: &[],
        integers_only: false,
        arrays: 0..0,
    },
    Generic {
        name: "take",
        arguments: &["slot", "x"],
        variables: &["x"],
        intent: "inout",
        texts: &[],
        integers_only: false,
        arrays: 0..0,
    },
    Generic {
        name: "capture",
        arguments: &["x", "name"],
        variables: &["x"],
        intent: "inout",
        texts: &["name"],
        integers_only: false,
        arrays: 1..2,
    },
    Generic {
        name: "loop",
        arguments: &["slot", "first", "last", "step"],
        variables: &["first", "last", "step"],
        intent: "inout",
        texts: &[],
        integers_only: true,
        arrays: 0..0,
    },
];

/// The types of the usual kinds.
fn common() -> impl Iterator<Item = &'static Type> {
    types().filter(|found| !found.name.ends_with("_10") && !found.name.ends_with("_16"))
}

/// The short name: `real_8` for `CPPC_REAL_8`.
fn short(found: &Type) -> String {
    found.name.trim_start_matches("CPPC_").to_ascii_lowercase()
}

/// The declaration of a variable of the type.
fn spelling(found: &Type) -> String {
    let name = short(found);
    let (word, kind) = name.split_once('_').unwrap_or((&name, ""));
    match (found.class, kind) {
        (Class::Signed, kind) => format!("integer(int{})", 8 * kind.parse::<usize>().unwrap_or(4)),
        (Class::Real | Class::Complex, kind) => {
            format!("{word}(real{})", 8 * kind.parse::<usize>().unwrap_or(8))
        }
        (Class::Character, _) => "character(len=*)".to_owned(),
        (_, kind) => format!("{word}({kind})"),
    }
}

fn interface(text: &mut String, generic: &Generic) {
    let _ = writeln!(text, "\n  interface cppc_{}", generic.name);
    for found in common().filter(|found| !generic.integers_only || found.class == Class::Signed) {
        let procedure = format!("cppc_{}_{}", generic.name, short(found));
        let _ = write!(text, "    subroutine {procedure}({})\n      import\n", generic.arguments.join(", "));
        let plain =
            |argument: &&&str| !generic.variables.contains(*argument) && !generic.texts.contains(*argument);
        let plain: Vec<&str> = generic.arguments.iter().filter(plain).copied().collect();
        if !plain.is_empty() {
            let _ = writeln!(text, "      integer, intent(in) :: {}", plain.join(", "));
        }
        let _ = writeln!(
            text,
            "      {}, intent({}) :: {}",
            spelling(found),
            generic.intent,
            generic.variables.join(", ")
        );
        if !generic.texts.is_empty() {
            let _ = writeln!(text, "      character(len=*), intent(in) :: {}", generic.texts.join(", "));
        }
        text.push_str("    end subroutine\n");
    }
    for found in common() {
        let names: Vec<String> =
            generic.arrays.clone().map(|rank| format!("{}_{}_{rank}", generic.name, short(found))).collect();
        for names in names.chunks(4) {
            let _ = writeln!(text, "    module procedure {}", names.join(", "));
        }
    }
    text.push_str("  end interface\n");
}

fn dimensions(rank: usize) -> String {
    vec![":"; rank].join(", ")
}

/// A procedure of the module for an array.
fn array(text: &mut String, verb: &str, found: &Type, rank: usize) {
    let (name, spelling, dimensions) = (short(found), spelling(found), dimensions(rank));
    // Other arrays have one dimension, which is the count.
    let has_shape = verb == "register" && (rank > 1 || found.class == Class::Character);
    let (with_shape, shape) = match has_shape {
        true => (", cppc_shape", format!("      call cppc_shape(name, {rank}, shape(a, kind=int64))\n")),
        false => ("", String::new()),
    };
    let (before, after) = if verb == "register" { ("section, ", ", storage") } else { ("", "") };
    let _ = write!(text, "\n  subroutine {verb}_{name}_{rank}({before}a, name{after})\n");
    if verb == "register" {
        text.push_str("    integer, intent(in) :: section, storage\n");
    }
    let _ = write!(
        text,
        "    {spelling}, intent(inout) :: a({dimensions})\n    \
         character(len=*), intent(in) :: name\n    \
         external :: cppc_{verb}_array_{name}{with_shape}\n    \
         if (is_contiguous(a)) then\n      \
         call cppc_{verb}_array_{name}({before}a, size(a, kind=int64), name{after})\n\
         {shape}    \
         else\n      \
         call cppc_not_contiguous(name)\n    \
         end if\n  \
         end subroutine\n"
    );
}

/// Names without the prefix.
const PUBLIC: &[&str] = &[
    "arguments",
    "identify",
    "init",
    "shutdown",
    "enter",
    "leave",
    "block",
    "execute",
    "file",
    "file_unit",
    "file_place",
    "call",
    "return",
    "do_checkpoint",
    "jump_next",
    "restarting",
    "wants",
    "unregister",
    "register",
    "register_value",
    "save",
    "take",
    "capture",
    "loop",
    "name",
];

const OPENING: &str = "\
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
";

const PLAIN: &str = "
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
";

const NAMING: &str = "
  ! Does nothing, but the compiler must assume that it accesses its argument.
  interface cppc_name
    subroutine named_scalar(x) bind(c, name='cppc_name_integer_4_')
      type(*), intent(inout) :: x
    end subroutine
    module procedure name_1, name_2, name_3, name_4, name_5, name_6, name_7
  end interface
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_fits_free_form() {
        assert!(fortran_module().lines().all(|line| line.len() <= 132 && line.is_ascii()));
    }

    #[test]
    fn types_are_declared_with_portable_kinds() {
        let spelled: Vec<String> = common().map(spelling).collect();
        let wanted = "integer(int8) integer(int16) integer(int32) integer(int64) logical(1) logical(2) logical(4) logical(8) \
                      real(real32) real(real64) complex(real32) complex(real64) character(len=*)";
        assert_eq!(spelled.join(" "), wanted);
    }
}
