//! Writes `cppc.h`.
//!
//! Input: the tables.
//! Output: the text of the header, for C (C89 on) and C++.
//! Postcondition: the same tables give the same text, byte for byte.

use std::fmt::Write;

use crate::calls::{Argument, Call, Group, Returned, CALLS};
use crate::elsewhere::ENTRIES;
use crate::statuses::STATUSES;
use crate::storage::FLAGS;
use crate::types::{Language, FIRST_STRUCTURE, FUNCTION, TYPES};

/// The text of `cppc.h`.
pub fn c_header() -> String {
    let mut text = String::from(OPENING);
    section(&mut text, "Types of elements: the C ones, then the Fortran ones. Numbers never change.");
    for language in [Language::C, Language::Fortran] {
        for found in TYPES.iter().filter(|found| found.language == language) {
            define(&mut text, found.name, found.code, found.spelling);
        }
    }
    define(&mut text, "CPPC_FIRST_STRUCTURE", FIRST_STRUCTURE, "CPPC_Define_type returns codes from here on");
    define(&mut text, "CPPC_FUNCTION", FUNCTION, "in CPPC_Points: a function");
    section(&mut text, "Storage of a register: flags.");
    for flag in FLAGS {
        define(&mut text, flag.name, flag.value, flag.meaning);
    }
    section(&mut text, "A captured pointer to memory that is not registered.");
    for entry in ENTRIES {
        define(&mut text, entry.name, entry.value, entry.meaning);
    }
    section(&mut text, "Statuses.");
    for entry in STATUSES {
        define(&mut text, entry.name, entry.status as i32, entry.meaning);
    }
    text.push_str(FIELD);
    section(&mut text, "The calls of a program. Only one thread may make calls.");
    prototypes(&mut text, Group::Program);
    section(&mut text, "The calls of the restart plan, which a translated program needs in addition.");
    prototypes(&mut text, Group::Plan);
    text.push_str(CLOSING);
    text
}

fn section(text: &mut String, title: &str) {
    let _ = write!(text, "\n/* {title} */\n\n");
}

fn define(text: &mut String, name: &str, value: i32, meaning: &str) {
    let _ = writeln!(text, "#define {name:<31} {value:<5} /* {meaning} */");
}

fn prototypes(text: &mut String, group: Group) {
    for call in CALLS.iter().filter(|call| call.group == group) {
        let _ = write!(text, "/* {} */\n{}\n\n", call.doc.join("\n   "), prototype(call));
    }
    text.pop();
}

/// The declaration of one call, such as `int CPPC_Block(int block);`.
pub fn prototype(call: &Call) -> String {
    let returns = match call.returns {
        Returned::Nothing => "void ",
        Returned::Int => "int ",
        Returned::Memory => "void *",
    };
    let parameters: Vec<String> = call
        .parameters
        .iter()
        .map(|parameter| format!("{}{}", spelling(parameter.argument), parameter.name))
        .collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{returns}{}({parameters});", call.name)
}

fn spelling(argument: Argument) -> &'static str {
    match argument {
        Argument::Int => "int ",
        Argument::Size => "size_t ",
        Argument::Text => "const char *",
        Argument::Memory => "void *",
        Argument::ArgumentCount => "int *",
        Argument::Arguments => "char ***",
        Argument::Fields => "const CPPC_Field *",
        Argument::Field => "CPPC_Field *",
        Argument::Sizes => "const size_t *",
    }
}

const OPENING: &str = "\
/* cppc.h: checkpointing of C programs, the calls of the runtime.
 *
 * Made from the table in the crate `cppc-abi`; do not edit. `docs/restart-model.md` describes
 * the order of the calls and the contract of the runtime. Link with -lcppc, or with -lcppc_mpi in a
 * program that uses MPI.
 */

#ifndef CPPC_H
#define CPPC_H

#include <stddef.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

const FIELD: &str = "
/* A field of a structure, for CPPC_Define_type: `count` is 1 or the elements of an array. */

typedef struct CPPC_Field {
    const char *name;
    size_t offset; /* offsetof(struct s, field) */
    int type;
    size_t count;
} CPPC_Field;
";

const CLOSING: &str = "
#ifdef __cplusplus
}
#endif

#endif /* CPPC_H */
";
