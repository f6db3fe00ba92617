//! The compiler's own names: `__builtin_…`, `__sync_…`, `__atomic_…`, `__func__`.
//!
//! Input: a name and the types of the arguments.
//! Output: the type of the call.
//! Postcondition: what is not in the table is unknown, which never causes a diagnostic.

use cppc_grammar::c::tree::{Basic, Qualifiers};

use super::operators::{of_rank, real_rank};
use super::types::{ArrayLength, FunctionType, Kind, Type};

/// The type of an undeclared name that is not called; functions of the table as functions.
pub fn identifier(name: &str) -> Option<Type> {
    if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
        let constant = Qualifiers { constant: true, ..Qualifiers::default() };
        let letter = Type::basic(Basic::Char).qualified(constant);
        return Some(Type::array_of(letter, ArrayLength::Unknown));
    }
    let result = result(name, &[])?;
    let function = FunctionType { result, parameters: Vec::new(), variadic: false, unspecified: true };
    Some(Kind::Function(function.into()).into())
}

/// The type of a call to a name of the compiler's own.
pub fn result(name: &str, arguments: &[Type]) -> Option<Type> {
    if let Some(operation) = name.strip_prefix("__sync_").or_else(|| name.strip_prefix("__atomic_")) {
        return atomic(operation, arguments);
    }
    let base = name.strip_prefix("__builtin_")?;
    let base = base.strip_prefix("__").and_then(|checked| checked.strip_suffix("_chk")).unwrap_or(base);
    fixed(base).or_else(|| mathematical(base)).or_else(|| by_arguments(base, arguments))
}

fn fixed(base: &str) -> Option<Type> {
    let void_pointer = || Type::pointer_to(Type::VOID);
    let text = || Type::pointer_to(Type::basic(Basic::Char));
    Some(match base {
        "expect" | "expect_with_probability" => Type::basic(Basic::Long),
        "memcpy"
        | "memmove"
        | "memset"
        | "mempcpy"
        | "memchr"
        | "malloc"
        | "calloc"
        | "realloc"
        | "alloca"
        | "alloca_with_align"
        | "return_address"
        | "frame_address"
        | "assume_aligned"
        | "apply_args"
        | "extract_return_addr"
        | "va_arg_pack_pointer" => void_pointer(),
        "strcpy" | "strncpy" | "strcat" | "strncat" | "stpcpy" | "stpncpy" | "strchr" | "strrchr"
        | "strstr" | "strpbrk" | "strdup" | "strndup" | "index" | "rindex" => text(),
        "strlen" | "strspn" | "strcspn" | "object_size" | "dynamic_object_size" | "offsetof" => {
            Type::basic(Basic::UnsignedLong)
        }
        "bswap16" => Type::basic(Basic::UnsignedShort),
        "bswap32" => Type::basic(Basic::UnsignedInt),
        "bswap64" => Type::basic(Basic::UnsignedLong),
        "labs" => Type::basic(Basic::Long),
        "llabs" => Type::basic(Basic::LongLong),
        "lrint" | "lrintf" | "lrintl" | "lround" | "lroundf" | "lroundl" => Type::basic(Basic::Long),
        "llrint" | "llrintf" | "llrintl" | "llround" | "llroundf" | "llroundl" => {
            Type::basic(Basic::LongLong)
        }
        "trap" | "unreachable" | "prefetch" | "abort" | "exit" | "free" | "va_start" | "va_end"
        | "va_copy" | "clear_cache" | "__clear_cache" | "bzero" => Type::VOID,
        "add_overflow" | "sub_overflow" | "mul_overflow" => Type::basic(Basic::Bool),
        "abs" | "ffs" | "ffsl" | "ffsll" | "clz" | "clzl" | "clzll" | "ctz" | "ctzl" | "ctzll" | "clrsb"
        | "popcount" | "popcountl" | "popcountll" | "parity" | "parityl" | "parityll" | "constant_p"
        | "memcmp" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "printf" | "fprintf"
        | "sprintf" | "snprintf" | "vprintf" | "vfprintf" | "vsprintf" | "vsnprintf" | "puts" | "putchar"
        | "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered"
        | "isnan" | "isnanf" | "isnanl" | "isinf" | "isinff" | "isinfl" | "isinf_sign" | "isfinite"
        | "finite" | "isnormal" | "signbit" | "signbitf" | "signbitl" | "fpclassify" | "classify_type"
        | "va_arg_pack_len" | "va_arg_pack" | "cpu_supports" | "cpu_is" | "cpu_init" | "ilogb" | "ilogbf"
        | "ilogbl" | "types_compatible_p" => Type::INT,
        _ => return None,
    })
}

const REAL: [&str; 58] = [
    "fabs",
    "sqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "logb",
    "pow",
    "hypot",
    "fmod",
    "remainder",
    "remquo",
    "copysign",
    "nan",
    "nans",
    "inf",
    "huge_val",
    "floor",
    "ceil",
    "trunc",
    "round",
    "roundeven",
    "rint",
    "nearbyint",
    "fma",
    "fmin",
    "fmax",
    "fdim",
    "ldexp",
    "frexp",
    "modf",
    "scalbn",
    "scalbln",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "nextafter",
    "nexttoward",
    "significand",
];

const COMPLEX: [&str; 18] = [
    "csqrt", "cexp", "clog", "cpow", "csin", "ccos", "ctan", "casin", "cacos", "catan", "csinh", "ccosh",
    "ctanh", "casinh", "cacosh", "catanh", "conj", "cproj",
];

fn mathematical(base: &str) -> Option<Type> {
    let real = |stem: &str| REAL.contains(&stem) || matches!(stem, "cabs" | "creal" | "cimag" | "carg");
    let suffixes = [("f128", 4), ("l", 3), ("f", 1), ("", 2)];
    suffixes.iter().find_map(|&(suffix, rank)| {
        let stem = base.strip_suffix(suffix)?;
        let known = real(stem) || COMPLEX.contains(&stem);
        known.then(|| Type::basic(of_rank(rank, COMPLEX.contains(&stem))))
    })
}

/// Builtins whose type is that of an argument.
fn by_arguments(base: &str, arguments: &[Type]) -> Option<Type> {
    match base {
        "complex" => match arguments.first()?.kind {
            Kind::Basic(basic) => Some(Type::basic(of_rank(real_rank(basic)?, true))),
            _ => None,
        },
        "shuffle" | "speculation_safe_value" | "elementwise_max" | "elementwise_min" => {
            arguments.first().cloned()
        }
        "next_arg" => Some(Type::pointer_to(Type::VOID)),
        _ => None,
    }
}

fn atomic(operation: &str, arguments: &[Type]) -> Option<Type> {
    let boolean = Type::basic(Basic::Bool);
    match operation {
        "synchronize" | "lock_release" | "load" | "store" | "store_n" | "exchange" | "clear"
        | "thread_fence" | "signal_fence" => Some(Type::VOID),
        "bool_compare_and_swap"
        | "compare_exchange"
        | "compare_exchange_n"
        | "test_and_set"
        | "always_lock_free"
        | "is_lock_free" => Some(boolean),
        _ => arguments.first().and_then(Type::target).map(Type::unqualified),
    }
}
