//! The intrinsic procedures: their names, and the types of what the functions give.
//!
//! Input: a name and the types of the arguments.
//! Output: the type and rank of the result.
//! Postcondition: what is in no table is no intrinsic; a type that depends on more than the arguments' types
//! is unknown.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::types::{DefaultKinds, Length, Type, Typed};

/// How a function's result follows from its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// The type and shape of the first argument.
    Same,
    /// A number of the type of the first argument, made real when it is complex.
    RealPart,
    /// A default integer, of the shape of the arguments.
    Integers,
    Logicals,
    /// Of the kind that `kind=` says, default otherwise.
    Real,
    DoublePrecision,
    Complex,
    DoubleComplex,
    /// A character of length one.
    Character,
    /// A scalar of a default integer.
    Count,
    /// One element of the first argument, or an array of fewer dimensions.
    Reduced,
    ReducedInteger,
    ReducedLogical,
    /// The larger of the types of the arguments.
    Common,
    Integer8,
    /// A scalar of single precision.
    Single,
    /// The type and shape of the last argument.
    Last,
    Unknown,
}

use Gives::*;

const FUNCTIONS: &[(Gives, &str)] = &[
    (
        Same,
        "acos acosh asin asinh atan atanh atan2 cos cosh sin sinh tan tanh exp log log10 sqrt aint anint \
         bessel_j0 bessel_j1 bessel_y0 bessel_y1 erf erfc erfc_scaled gamma log_gamma lgamma conjg dim mod modulo sign \
         fraction nearest rrspacing scale set_exponent spacing epsilon huge tiny iand ior ieor not ibclr ibset \
         ibits ishft ishftc shiftl shiftr shifta lshift rshift xor and or maskl maskr dshiftl dshiftr merge_bits \
         besj0 besj1 besy0 besy1 \
         adjustl adjustr trim repeat cshift eoshift transpose merge max min hypot acosd asind atand cosd sind \
         tand cotan cotand dcotan alog alog10 amod idim isign iabs",
    ),
    (RealPart, "abs aimag imag cabs"),
    (
        Integers,
        "int nint ceiling floor ichar iachar index scan verify len_trim exponent leadz trailz popcnt poppar \
         ifix idint idnint max0 max1 min0 min1 int2",
    ),
    (Logicals, "btest lge lgt lle llt is_iostat_end is_iostat_eor isnan bge bgt ble blt logical"),
    (Real, "real float sngl amax0 amax1 amin0 amin1 rand ran"),
    (
        DoublePrecision,
        "dble dfloat dabs dacos dasin datan datan2 dcos dcosh dsin dsinh dtan dtanh dexp dlog dlog10 dsqrt \
         ddim dint dmod dnint dprod dsign dmax1 dmin1 dreal dimag cdabs zabs derf derfc dgamma dlgama dasinh \
         dacosh datanh dbesj0 dbesj1 dbesy0 dbesy1 dsecnds",
    ),
    (Complex, "cmplx ccos cexp clog csin csqrt"),
    (DoubleComplex, "dcmplx dconjg cdcos cdexp cdlog cdsin cdsqrt zcos zexp zlog zsin zsqrt"),
    (Character, "achar char"),
    (
        Count,
        "kind len size rank digits maxexponent minexponent precision radix range bit_size storage_size \
         selected_int_kind selected_real_kind selected_char_kind selected_logical_kind command_argument_count \
         this_image num_images image_index team_number iargc time ierrno fnum getpid getuid \
         getgid access stat lstat fstat irand mclock signal kill umask unlink rename link symlnk hostnm getcwd chdir \
         chmod fseek fget fput fgetc fputc",
    ),
    // Their ranks depend on which arguments are there: `reduction`.
    (Unknown, "lbound ubound lcobound ucobound maxloc minloc findloc shape reshape spread transfer"),
    (Reduced, "sum product maxval minval norm2 iall iany iparity reduce dot_product"),
    (ReducedInteger, "count"),
    (ReducedLogical, "all any parity"),
    (Common, "matmul"),
    (Integer8, "loc sizeof c_sizeof time8 malloc mclock8 ftell"),
    (Single, "second secnds etime dtime"),
    (Last, "bessel_jn bessel_yn besjn besyn"),
    (Character, "new_line"),
    (Logicals, "out_of_range isatty"),
    (Logicals, "allocated associated present extends_type_of same_type_as is_contiguous"),
    (
        Unknown,
        "pack unpack null get_team image_status stopped_images failed_images coshape ctime fdate ttynam system \
         complex short long int8 zext",
    ),
];

const SUBROUTINES: &str = "date_and_time system_clock cpu_time random_number random_seed random_init mvbits \
    move_alloc get_command get_command_argument get_environment_variable execute_command_line event_query \
    exit abort flush getarg getenv gerror getlog idate itime ltime gmtime sleep srand alarm perror backtrace \
    dtime_sub etime_sub atomic_add atomic_and atomic_cas atomic_define atomic_fetch_add atomic_fetch_and \
    atomic_fetch_or atomic_fetch_xor atomic_or atomic_ref atomic_xor co_broadcast co_max co_min co_reduce \
    co_sum free split tokenize fdate ctime system second chdir unlink rename link symlnk umask kill signal \
    etime dtime hostnm getcwd ttynam stat lstat fstat fseek ftell fget fput fgetc fputc chmod";

/// Whether a name is that of an intrinsic function.
pub fn is_function(name: &str) -> bool {
    gives(name).is_some()
}

/// The name as it stands in the table.
pub fn known(name: &str) -> Option<&'static str> {
    entry(name).map(|(name, _)| name)
}

pub fn is_subroutine(name: &str) -> bool {
    static NAMES: OnceLock<FxHashSet<&str>> = OnceLock::new();
    NAMES.get_or_init(|| SUBROUTINES.split_whitespace().collect()).contains(name)
}

fn gives(name: &str) -> Option<Gives> {
    entry(name).map(|(_, gives)| gives)
}

fn entry(name: &str) -> Option<(&'static str, Gives)> {
    static NAMES: OnceLock<FxHashMap<&'static str, Gives>> = OnceLock::new();
    let listed = |(gives, names): &(Gives, &'static str)| {
        let gives = *gives;
        names.split_whitespace().map(move |name| (name, gives))
    };
    let table = NAMES.get_or_init(|| FUNCTIONS.iter().flat_map(listed).collect());
    table.get_key_value(name).map(|(&name, &gives)| (name, gives))
}

/// What a function gives for arguments of these types; `kind` is that of a `KIND=` argument.
pub fn result(name: &str, arguments: &[Typed], kind: Option<u8>, kinds: &DefaultKinds) -> Typed {
    let Some(gives) = gives(name) else { return Typed::UNKNOWN };
    let first = arguments.first().copied().unwrap_or(Typed::UNKNOWN);
    // Elemental functions have the rank of the argument that is an array.
    let rank = arguments.iter().map(|one| one.rank).try_fold(0, |rank, one| one.map(|one| rank.max(one)));
    let shaped = |ty: Type| Typed { ty, rank };
    let real = |fallback: u8| match first.ty {
        Type::Real(kind) | Type::Complex(kind) if name == "real" && matches!(first.ty, Type::Complex(_)) => {
            kind
        }
        _ => fallback,
    };
    let integer = || kinds.integer_type(kind);
    let reduced = |ty: Type| Typed { ty, rank: (arguments.len() == 1).then_some(0) };
    match gives {
        Same => same(name, arguments, shaped(first.ty)),
        RealPart => shaped(match first.ty {
            Type::Complex(kind) => Type::Real(kind),
            ty => ty,
        }),
        Integers => shaped(integer()),
        Logicals => match name {
            "allocated" | "associated" | "present" => Typed::scalar(kinds.logical_type(None)),
            _ => shaped(kinds.logical_type(kind)),
        },
        Real => shaped(Type::Real(kinds.real_kind(kind.or_else(|| match real(kinds.real) {
            own if own == kinds.real => None,
            own => Some(own),
        })))),
        DoublePrecision => shaped(Type::Real(kinds.double_kind())),
        Complex => shaped(Type::Complex(kinds.real_kind(kind))),
        DoubleComplex => shaped(Type::Complex(kinds.double_kind())),
        Character => shaped(Type::Character { kind: 1, length: Length::Known(1) }),
        Count => Typed::scalar(integer()),
        Reduced if name == "dot_product" => Typed { ty: common(arguments), rank: Some(0) },
        Reduced => reduced(first.ty),
        ReducedInteger => reduced(integer()),
        ReducedLogical => reduced(first.ty),
        Common => Typed { ty: common(arguments), rank: None },
        Integer8 => Typed::scalar(Type::Integer(8)),
        Single => Typed::scalar(Type::Real(kinds.real_kind(None))),
        Last => shaped(arguments.last().copied().unwrap_or(Typed::UNKNOWN).ty),
        Unknown => Typed::UNKNOWN,
    }
}

/// What a function gives whose rank depends on which arguments are there; none of another function. `given` is the
/// type of the argument of a name, which may stand at a position.
pub fn reduction(
    name: &str,
    kind: Option<u8>,
    kinds: &DefaultKinds,
    given: &dyn Fn(&str, usize) -> Option<Typed>,
) -> Option<Typed> {
    let scalar_integer = |one: &Typed| matches!(one.ty, Type::Integer(_)) && one.rank == Some(0);
    // By its position it may be a mask: a logical value.
    let dim =
        |position: usize| given("dim", usize::MAX).or_else(|| given("dim", position).filter(scalar_integer));
    let unclear = |position: usize| given("dim", position).is_some_and(|one| one.ty == Type::Unknown);
    let array = given("array", 0).or_else(|| given("mask", 0)).unwrap_or(Typed::UNKNOWN);
    let less = |by: u32| array.rank.map(|rank| rank.saturating_sub(by));
    let reduced = |ty: Type, position: usize, whole: u32| {
        let rank = match dim(position) {
            Some(_) => less(1),
            None if unclear(position) => None,
            None => Some(whole),
        };
        Typed { ty, rank }
    };
    let integer = || kinds.integer_type(kind);
    Some(match name {
        "lbound" | "ubound" | "lcobound" | "ucobound" => {
            let whole = given("dim", 1).is_none();
            Typed { ty: integer(), rank: Some(u32::from(whole)) }
        }
        "shape" => Typed { ty: integer(), rank: Some(1) },
        "maxloc" | "minloc" => reduced(integer(), 1, 1),
        "findloc" => reduced(integer(), 2, 1),
        "sum" | "product" | "maxval" | "minval" | "iall" | "iany" | "iparity" | "norm2" => {
            reduced(array.ty, 1, 0)
        }
        "count" => reduced(integer(), 1, 0),
        "all" | "any" | "parity" => reduced(array.ty, 1, 0),
        "transfer" => {
            let mold = given("mold", 1).unwrap_or(Typed::UNKNOWN);
            let rank = if given("size", 2).is_some() { Some(1) } else { mold.rank.map(|rank| rank.min(1)) };
            Typed { ty: mold.ty, rank }
        }
        "spread" => {
            let source = given("source", 0).unwrap_or(Typed::UNKNOWN);
            Typed { ty: source.ty, rank: source.rank.map(|rank| rank + 1) }
        }
        "pack" => Typed { ty: array.ty, rank: Some(1) },
        "unpack" => Typed {
            ty: given("vector", 0).unwrap_or(Typed::UNKNOWN).ty,
            rank: given("mask", 1).unwrap_or(Typed::UNKNOWN).rank,
        },
        "matmul" => {
            let (a, b) = (given("matrix_a", 0)?, given("matrix_b", 1)?);
            let rank = a.rank.zip(b.rank).map(|(a, b)| (a + b).saturating_sub(2));
            Typed { ty: combine(a.ty, b.ty), rank }
        }
        _ => return None,
    })
}

fn same(name: &str, arguments: &[Typed], shaped: Typed) -> Typed {
    match (name, shaped.ty) {
        // Their length is not that of the argument.
        ("trim" | "repeat", Type::Character { kind, .. }) => {
            Typed::scalar(Type::Character { kind, length: Length::Varying })
        }
        ("max" | "min" | "merge", Type::Character { kind, .. }) => {
            Typed { ty: Type::Character { kind, length: Length::Varying }, ..shaped }
        }
        ("max" | "min" | "mod" | "modulo" | "sign" | "dim" | "hypot" | "atan2", ty) if ty.is_numeric() => {
            Typed { ty: common(arguments), ..shaped }
        }
        ("epsilon" | "huge" | "tiny", ty) => Typed::scalar(ty),
        _ => shaped,
    }
}

/// The type that operands of these types have together.
fn common(arguments: &[Typed]) -> Type {
    let mut types = arguments.iter().map(|one| one.ty);
    let first = types.next().unwrap_or(Type::Unknown);
    types.fold(first, combine)
}

/// The type of an arithmetic operation.
pub fn combine(left: Type, right: Type) -> Type {
    use Type::{Complex, Integer, Logical, Real};
    match (left, right) {
        (Integer(a), Integer(b)) => Integer(a.max(b)),
        (Logical(a), Logical(b)) => Logical(a.max(b)),
        (Real(a), Real(b)) => Real(a.max(b)),
        (Real(a), Integer(_)) | (Integer(_), Real(a)) => Real(a),
        (Complex(a), Complex(b) | Real(b)) | (Real(b), Complex(a)) => Complex(a.max(b)),
        (Complex(a), Integer(_)) | (Integer(_), Complex(a)) => Complex(a),
        _ => Type::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_intrinsic_has_an_entry_in_the_catalogue() {
        let catalogue = cppc_analysis::catalogue::Catalogue::built_in();
        let functions = FUNCTIONS.iter().flat_map(|(_, names)| names.split_whitespace());
        let all = functions.chain(SUBROUTINES.split_whitespace());
        let missing: Vec<&str> =
            all.filter(|name| catalogue.entry(&format!("fortran%{name}")).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn results_follow_their_arguments() {
        let kinds = DefaultKinds::default();
        let of = |name: &str, types: &[Type]| {
            let arguments: Vec<Typed> = types.iter().map(|&ty| Typed::scalar(ty)).collect();
            result(name, &arguments, None, &kinds).ty
        };
        assert_eq!(of("sqrt", &[Type::Real(8)]), Type::Real(8));
        assert_eq!(of("abs", &[Type::Complex(8)]), Type::Real(8));
        assert_eq!(of("real", &[Type::Complex(8)]), Type::Real(8));
        assert_eq!(of("real", &[Type::Integer(8)]), Type::Real(4));
        assert_eq!(of("max", &[Type::Integer(4), Type::Integer(8)]), Type::Integer(8));
        assert_eq!(of("dble", &[Type::Integer(4)]), Type::Real(8));
        assert!(is_subroutine("random_number") && !is_function("solve"));
    }

    #[test]
    fn ranks_depend_on_which_arguments_are_there() {
        let kinds = DefaultKinds::default();
        let array = Typed { ty: Type::Real(8), rank: Some(2) };
        let (one, mask) = (Typed::scalar(Type::Integer(4)), Typed { ty: Type::Logical(4), rank: Some(2) });
        let rank = |name: &str, list: &[Typed]| {
            let given = |_: &str, position: usize| list.get(position).copied();
            reduction(name, None, &kinds, &given).and_then(|typed| typed.rank)
        };
        assert_eq!(rank("lbound", &[array]), Some(1));
        assert_eq!(rank("lbound", &[array, one]), Some(0));
        assert_eq!(rank("maxloc", &[array, one]), Some(1));
        assert_eq!(rank("maxloc", &[array, mask]), Some(1));
        assert_eq!(rank("sum", &[array, mask]), Some(0));
        assert_eq!(rank("sum", &[array, one]), Some(1));
        assert_eq!(rank("transfer", &[array, one]), Some(0));
        assert_eq!(rank("transfer", &[one, array]), Some(1));
        assert_eq!(rank("matmul", &[array, array]), Some(2));
    }
}
