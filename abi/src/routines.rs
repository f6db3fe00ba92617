//! The routines that Fortran programs call: names and arguments.
//!
//! Input: nothing.
//! Output: the table from which `cppcf.h` is made, and the types that have routines of their own.
//! Postcondition: the table contains exactly the routines that a library exports to Fortran.

use crate::types::{Class, Type, TYPES};

/// The routines that one row of the table stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiplicity {
    Once,
    /// One for each type, with the name of the type at the end.
    EachType,
    /// One for each kind of INTEGER.
    EachInteger,
    /// This many, with numbers at the end.
    Numbered(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Routine {
    pub name: &'static str,
    pub per: Multiplicity,
    /// Whether it is an INTEGER function. Otherwise it is a subroutine.
    pub is_function: bool,
    pub arguments: &'static [&'static str],
}

const fn function(name: &'static str, arguments: &'static [&'static str]) -> Routine {
    Routine { name, per: Multiplicity::Once, is_function: true, arguments }
}

const fn subroutine(name: &'static str, arguments: &'static [&'static str]) -> Routine {
    Routine { name, per: Multiplicity::Once, is_function: false, arguments }
}

const fn each(name: &'static str, arguments: &'static [&'static str]) -> Routine {
    Routine { name, per: Multiplicity::EachType, is_function: false, arguments }
}

/// How many derived types with allocatable components one file can use in registers.
pub const ELEMENT_ROUTINES: u32 = 64;

/// `docs/restart-model-fortran.md` describes them.
pub const ROUTINES: &[Routine] = &[
    function("CPPC_ENTER", &["procedure", "blocks"]),
    function("CPPC_EXECUTE", &["block"]),
    subroutine("CPPC_BEGIN_EXECUTE", &["block"]),
    subroutine("CPPC_FILE", &["file", "name", "handle"]),
    function("CPPC_FILE_UNIT", &["file", "unit", "access", "form"]),
    subroutine("CPPC_FILE_PLACE", &["place"]),
    function("CPPC_CALL", &["block", "callee"]),
    subroutine("CPPC_BEGIN_CALL", &["block", "callee"]),
    function("CPPC_RETURN", &["block"]),
    subroutine("CPPC_END_CALL", &["block"]),
    function("CPPC_DO_CHECKPOINT", &["id"]),
    function("CPPC_DO_CHECKPOINT_AT", &["id", "place"]),
    subroutine("CPPC_CHECKPOINT_AT", &["id", "place"]),
    function("CPPC_JUMP_NEXT", &[]),
    function("CPPC_RESTARTING", &[]),
    function("CPPC_ACCEPTS_DEFERRED", &[]),
    function("CPPC_WANTS", &["name"]),
    function("CPPC_FOLLOWS", &["name"]),
    function("CPPC_LENDS", &["name", "lower", "upper"]),
    function("CPPC_ELEMENT", &["name", "subscripts"]),
    subroutine("CPPC_SET_ELEMENT", &["name", "subscripts"]),
    function("CPPC_NEXT_ELEMENT", &["name", "subscripts"]),
    function("CPPC_NEXT_DUE_ELEMENT", &["name", "subscripts"]),
    function("CPPC_REGISTER_FOLLOWED", &["section", "code", "rank", "lower", "upper", "name", "storage"]),
    function("CPPC_FOLLOWED_LENGTH", &["name"]),
    function("CPPC_TYPE_CODE", &[]),
    subroutine("CPPC_PLACE", &["name"]),
    subroutine("CPPC_MOVED", &["name"]),
    subroutine("CPPC_FOLLOW_NOTHING", &["name"]),
    subroutine("CPPC_FOLLOW_EMPTY", &["rank", "lower", "upper", "name"]),
    each("CPPC_FOLLOW", &["a", "rank", "lower", "upper", "name"]),
    each("CPPC_FOLLOW_FIRST", &["x", "rank", "lower", "upper", "name"]),
    each("CPPC_DELIVER", &["a", "name"]),
    each("CPPC_DELIVER_FIRST", &["x", "name"]),
    subroutine("CPPC_TYPE", &["name", "size"]),
    each("CPPC_FIELD", &["x", "count", "name"]),
    subroutine("CPPC_REGISTER_TYPE", &["section", "count", "name", "storage"]),
    subroutine("CPPC_TREE", &[]),
    function("CPPC_WALK", &["name"]),
    function("CPPC_WALK_DUE", &["name"]),
    subroutine("CPPC_SELECT", &["name", "subscripts"]),
    subroutine("CPPC_MEMBER", &["code", "name"]),
    subroutine("CPPC_FOLLOW_TYPE", &["rank", "lower", "upper", "name"]),
    subroutine("CPPC_LATER", &["kind"]),
    function("CPPC_NODE", &["number", "place", "lower", "upper"]),
    subroutine("CPPC_END_WALK", &[]),
    Routine {
        name: "CPPC_ELEMENT",
        per: Multiplicity::Numbered(ELEMENT_ROUTINES),
        is_function: false,
        arguments: &["x"],
    },
    subroutine("CPPC_COMPILER", &["version"]),
    subroutine("CPPC_DERIVED_TYPE", &["name", "size"]),
    subroutine("CPPC_COMPONENT", &["code", "count", "name"]),
    subroutine("CPPC_COMPONENT_OF", &["number", "count", "name"]),
    subroutine("CPPC_POINTER_COMPONENT", &["code", "rank", "name"]),
    subroutine("CPPC_POINTER_COMPONENT_OF", &["number", "rank", "name"]),
    subroutine("CPPC_POLYMORPHIC_COMPONENT", &["number", "rank", "name"]),
    subroutine("CPPC_DEFINE_TYPES", &[]),
    subroutine("CPPC_TYPE_TABLE", &["number", "code", "x"]),
    subroutine("CPPC_ANNOUNCE_POLYMORPHIC", &["section", "number", "name", "storage"]),
    subroutine("CPPC_ANNOUNCE_PASSED", &["section", "number", "name", "storage"]),
    subroutine("CPPC_ANNOUNCE", &["section", "number", "count", "name", "storage"]),
    subroutine("CPPC_ANNOUNCE_POINTER", &["section", "number", "rank", "name", "storage"]),
    Routine {
        name: "CPPC_ROOT",
        per: Multiplicity::Numbered(ELEMENT_ROUTINES),
        is_function: false,
        arguments: &["x"],
    },
    subroutine("CPPC_OTHER_PART", &["place"]),
    subroutine("CPPC_FOLLOWER", &["follower"]),
    subroutine("CPPC_LEAVE", &[]),
    subroutine("CPPC_IDENTIFY", &["fingerprint"]),
    subroutine("CPPC_RANKS", &["ranks"]),
    subroutine("CPPC_ARGUMENTS", &[]),
    subroutine("CPPC_INIT", &[]),
    subroutine("CPPC_SHUTDOWN", &[]),
    subroutine("CPPC_BLOCK", &["block"]),
    subroutine("CPPC_SHAPE", &["name", "rank", "extents"]),
    each("CPPC_FIELDS", &["first", "second", "structures", "name"]),
    subroutine("CPPC_UNREGISTER", &["name"]),
    subroutine("CPPC_OUT_OF_SCOPE", &["name"]),
    subroutine("CPPC_NOT_CONTIGUOUS", &["name"]),
    subroutine("CPPC_NOT_ALLOCATED", &["name"]),
    each("CPPC_REGISTER", &["section", "x", "name", "storage"]),
    each("CPPC_REGISTER_ARRAY", &["section", "a", "count", "name", "storage"]),
    each("CPPC_REGISTER_VALUE", &["section", "slot", "x", "name", "storage"]),
    each("CPPC_SAVE", &["slot", "x"]),
    each("CPPC_TAKE", &["slot", "x"]),
    each("CPPC_NAME", &["x"]),
    each("CPPC_NAME_ARRAY", &["a"]),
    each("CPPC_CAPTURE", &["x", "name"]),
    each("CPPC_CAPTURE_ARRAY", &["a", "count", "name"]),
    each("CPPC_PUT_BACK", &["x", "value"]),
    Routine {
        name: "CPPC_SIZE_VARIABLE",
        per: Multiplicity::EachInteger,
        is_function: false,
        arguments: &["x", "name"],
    },
    Routine {
        name: "CPPC_LOOP",
        per: Multiplicity::EachInteger,
        is_function: false,
        arguments: &["slot", "first", "last", "step"],
    },
];

/// Calls a macro for each Fortran type: `$make! { $($before)* name code class }`, where `name` is that of the
/// type in lowercase and `class` is `integer`, `other` or `character`.
#[macro_export]
macro_rules! fortran_types {
    ($make:ident $before:tt) => {
        $make! { $before integer_1 60 integer }
        $make! { $before integer_2 61 integer }
        $make! { $before integer_4 62 integer }
        $make! { $before integer_8 63 integer }
        $make! { $before integer_16 64 integer }
        $make! { $before logical_1 70 other }
        $make! { $before logical_2 71 other }
        $make! { $before logical_4 72 other }
        $make! { $before logical_8 73 other }
        $make! { $before logical_16 74 other }
        $make! { $before real_4 80 other }
        $make! { $before real_8 81 other }
        $make! { $before real_10 82 other }
        $make! { $before real_16 83 other }
        $make! { $before complex_4 90 other }
        $make! { $before complex_8 91 other }
        $make! { $before complex_10 92 other }
        $make! { $before complex_16 93 other }
        $make! { $before character 100 character }
    };
}

/// The types that have routines.
pub fn types() -> impl Iterator<Item = &'static Type> {
    TYPES.iter().filter(|found| found.language == crate::types::Language::Fortran)
}

/// The names of all routines, as in Fortran source.
pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    for routine in ROUTINES {
        // `CPPC_REAL_8` gives `CPPC_SAVE_REAL_8`.
        let typed = |found: &Type| format!("{}{}", routine.name, found.name.trim_start_matches("CPPC"));
        match routine.per {
            Multiplicity::Once => names.push(routine.name.to_owned()),
            Multiplicity::EachType => names.extend(types().map(typed)),
            Multiplicity::Numbered(count) => {
                names.extend((1..=count).map(|number| format!("{}_{number}", routine.name)));
            }
            Multiplicity::EachInteger => {
                names.extend(types().filter(|found| found.class == Class::Signed).map(typed))
            }
        }
    }
    names
}

/// The symbols of a routine: that of most compilers, and that with the second underscore of `f2c`.
pub fn symbols(name: &str) -> [String; 2] {
    let small = name.to_ascii_lowercase();
    [format!("{small}_"), format!("{small}__")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_macro_has_the_types_of_the_table() {
        let mut found: Vec<(String, i32, &str)> = Vec::new();
        macro_rules! note {
            ($found:ident $name:ident $code:literal $class:ident) => {
                $found.push((stringify!($name).to_ascii_uppercase(), $code, stringify!($class)));
            };
        }
        fortran_types!(note found);
        let class = |class| match class {
            Class::Signed => "integer",
            Class::Character => "character",
            _ => "other",
        };
        let wanted = types()
            .map(|each| (each.name.trim_start_matches("CPPC_").to_owned(), each.code, class(each.class)));
        assert_eq!(found, wanted.collect::<Vec<_>>());
    }

    #[test]
    fn names_are_distinct_and_as_long_as_fortran_allows() {
        let mut names = names();
        assert!(names.iter().all(|name| name.starts_with("CPPC_") && name.len() <= 63));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(symbols("CPPC_SAVE_REAL_8"), ["cppc_save_real_8_", "cppc_save_real_8__"]);
    }
}
