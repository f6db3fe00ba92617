//! The questions that a compiler is asked in addition to its macros: which operators like `__has_attribute`
//! it has, and their values for the names that widely used headers need.
//!
//! Input: the compiler's macros after it has read the text of the questions.
//! Output: its answers. A question that is not in the table needs one separate run of the compiler, once.

use rustc_hash::FxHashMap;

/// Prefix of the macros that contain the answers.
pub const ANSWER: &str = "__cppc_answer_";

/// Each is asked as it is and as `__name__`.
const ATTRIBUTES: &[&str] = &[
    "access",
    "alias",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "argument_with_type_tag",
    "artificial",
    "assume_aligned",
    "cleanup",
    "cold",
    "const",
    "constructor",
    "copy",
    "deprecated",
    "destructor",
    "diagnose_if",
    "enable_if",
    "error",
    "fallthrough",
    "fd_arg",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "ifunc",
    "indirect_return",
    "leaf",
    "malloc",
    "may_alias",
    "minsize",
    "mode",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_stack_protector",
    "noclone",
    "nodebug",
    "noinline",
    "nonnull",
    "nonstring",
    "noreturn",
    "nothrow",
    "optimize",
    "overloadable",
    "packed",
    "pass_dynamic_object_size",
    "pass_object_size",
    "pointer_with_type_tag",
    "preserve_most",
    "pure",
    "retain",
    "returns_nonnull",
    "returns_twice",
    "section",
    "sentinel",
    "symver",
    "target",
    "target_clones",
    "tls_model",
    "transparent_union",
    "type_tag_for_datatype",
    "unavailable",
    "unused",
    "used",
    "vector_size",
    "visibility",
    "warn_unused_result",
    "warning",
    "weak",
    "weak_import",
    "weakref",
];

/// The operators and their arguments that are asked in the same run as the macros.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("__has_attribute", &[]),
    (
        "__has_builtin",
        &[
            "__builtin_add_overflow",
            "__builtin_assume_aligned",
            "__builtin_bit_cast",
            "__builtin_bswap16",
            "__builtin_bswap32",
            "__builtin_bswap64",
            "__builtin_choose_expr",
            "__builtin_clz",
            "__builtin_constant_p",
            "__builtin_ctz",
            "__builtin_dynamic_object_size",
            "__builtin_expect",
            "__builtin_frame_address",
            "__builtin_isinf",
            "__builtin_issignaling",
            "__builtin_mul_overflow",
            "__builtin_object_size",
            "__builtin_popcount",
            "__builtin_sprintf",
            "__builtin_strlen",
            "__builtin_sub_overflow",
            "__builtin_tgmath",
            "__builtin_trap",
            "__builtin_types_compatible_p",
            "__builtin_unreachable",
            "__builtin_va_arg_pack",
            "__builtin_va_arg_pack_len",
        ],
    ),
    ("__has_c_attribute", &["deprecated", "fallthrough", "maybe_unused", "nodiscard", "noreturn"]),
    ("__has_cpp_attribute", &[]),
    ("__has_include", &[]),
    ("__has_include_next", &[]),
    ("__has_embed", &[]),
    (
        "__has_feature",
        &[
            "address_sanitizer",
            "attribute_deprecated_with_message",
            "c_alignas",
            "c_alignof",
            "c_atomic",
            "c_generic_selections",
            "c_static_assert",
            "memory_sanitizer",
            "modules",
            "nullability",
            "thread_sanitizer",
        ],
    ),
    (
        "__has_extension",
        &[
            "__attribute_deprecated_with_message__",
            "attribute_deprecated_with_message",
            "attribute_unavailable_with_message",
            "blocks",
            "c_alignas",
            "c_alignof",
            "c_atomic",
            "c_generic_selections",
            "c_static_assert",
            "gnu_asm",
        ],
    ),
    ("__has_warning", &[]),
    ("__has_declspec_attribute", &[]),
    ("__is_identifier", &[]),
    ("__has_constexpr_builtin", &[]),
    ("__building_module", &["_Builtin_intrinsics"]),
    ("__is_target_arch", &[]),
    ("__is_target_vendor", &[]),
    ("__is_target_os", &[]),
    ("__is_target_environment", &[]),
    ("__is_target_variant_os", &[]),
    ("__FILE_NAME__", &[]),
    ("__TIMESTAMP__", &[]),
];

/// The number of operators.
pub fn count() -> usize {
    QUESTIONS.len()
}

/// The text that makes the compiler define a macro for each answer that is not 0.
pub fn text() -> String {
    let mut text = String::with_capacity(24 << 10);
    for (operator, arguments) in QUESTIONS {
        text += &format!("#ifdef {operator}\n#define {ANSWER}{operator} 1\n");
        for argument in all(operator, arguments) {
            text += &format!("#if {operator}({argument})\n");
            text += &format!("#define {ANSWER}{operator}_of_{argument} 1\n#endif\n");
        }
        text += "#endif\n";
    }
    text
}

/// The answers, by question. An operator that the compiler has is a question without an argument. `defined`
/// returns whether the macro of `text` with this name after `ANSWER` was defined.
pub fn known(defined: impl Fn(&str) -> bool) -> FxHashMap<String, u64> {
    let mut known = FxHashMap::default();
    for (operator, arguments) in QUESTIONS.iter().filter(|(operator, _)| defined(operator)) {
        known.insert((*operator).to_owned(), 1);
        // The value of a standard attribute is the date of its paper, so the compiler is asked when it is
        // needed.
        let dated = operator.ends_with("_c_attribute");
        for argument in all(operator, arguments) {
            let has = defined(&format!("{operator}_of_{argument}"));
            if !(dated && has) {
                known.insert(format!("{operator}({argument})"), u64::from(has));
            }
        }
    }
    known
}

fn all<'a>(operator: &str, arguments: &'a [&'a str]) -> impl Iterator<Item = String> + 'a {
    let attributes = if operator == "__has_attribute" { ATTRIBUTES } else { &[] };
    let both = attributes.iter().flat_map(|name| [(*name).to_owned(), format!("__{name}__")]);
    both.chain(arguments.iter().map(|name| (*name).to_owned()))
}
