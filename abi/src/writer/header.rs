//! Writes `cppc_writer.h`.
//!
//! Input: the structures and constants.
//! Output: the text of the header, for C (C99 on) and C++.
//! Postcondition: the same tables give the same text, byte for byte.

use super::{Constant, Structure, ENTRY, FLAGS, KINDS, MESSAGE_BYTES, PLACES, STRUCTURES, VERSION};
use std::fmt::Write;

/// The text of `cppc_writer.h`.
pub fn c_header() -> String {
    let mut text = String::from(OPENING);
    let own = [
        Constant { name: "CPPC_WRITER_VERSION", value: VERSION.into(), meaning: "of this interface" },
        Constant {
            name: "CPPC_WRITER_MESSAGE_SIZE",
            value: MESSAGE_BYTES as i64,
            meaning: "room for the text of an error",
        },
    ];
    text.push('\n');
    own.iter().for_each(|constant| define(&mut text, constant));
    text.push_str(
        "#define CPPC_WRITER_NO_BLOCK        UINT64_MAX /* in place of an index: a null pointer */\n",
    );
    for (title, table) in [
        ("What a writer supports.", FLAGS),
        ("Kinds of elements.", KINDS),
        ("Where a block is in memory.", PLACES),
    ] {
        let _ = write!(text, "\n/* {title} */\n\n");
        table.iter().for_each(|constant| define(&mut text, constant));
    }
    text.push_str("\nstruct CPPC_Writer_type;\n");
    STRUCTURES.iter().for_each(|structure| define_structure(&mut text, structure));
    let _ = write!(
        text,
        "{ENTRY_DOC}CPPC_WRITER_EXPORT const CPPC_Writer *{ENTRY}(uint32_t version);\n{CLOSING}"
    );
    text
}

fn define(text: &mut String, constant: &Constant) {
    let _ = writeln!(text, "#define {:<27} {:<4} /* {} */", constant.name, constant.value, constant.meaning);
}

fn define_structure(text: &mut String, structure: &Structure) {
    let _ = write!(text, "\n/* {} */\n\ntypedef struct {} {{\n", structure.doc.join("\n   "), structure.name);
    for field in structure.fields {
        let declaration = format!("{};", field.spelling.replace('@', field.name));
        if declaration.contains("(*") {
            let _ = writeln!(text, "    /* {} */\n    {declaration}", field.meaning);
        } else {
            let _ = writeln!(text, "    {declaration} /* {} */", field.meaning);
        }
    }
    let _ = writeln!(text, "}} {};", structure.name);
}

const OPENING: &str = "\
/* cppc_writer.h: how the runtime of CPPC calls a writer of state files.
 *
 * Made from the table in the crate `cppc-abi`; do not edit. A writer is a shared object that exports
 * CPPC_Get_writer; the setting `writer` names it. `docs/writers.md` describes when it is
 * called, and shows one.
 *
 * What the runtime passes belongs to the runtime and is valid until the call returns. What a writer
 * returns belongs to the writer: the table and its texts live as long as the process, `file` and
 * `seal` of an input until close. No exception and no longjmp may leave a function. Strings end with
 * a zero byte.
 */

#ifndef CPPC_WRITER_H
#define CPPC_WRITER_H

#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif

#ifndef CPPC_WRITER_EXPORT
#if defined(__GNUC__)
#define CPPC_WRITER_EXPORT __attribute__((visibility(\"default\")))
#else
#define CPPC_WRITER_EXPORT
#endif
#endif
";

const ENTRY_DOC: &str = "
/* The one symbol that a writer exports. `version` is the CPPC_WRITER_VERSION of the runtime;
   a writer that does not have that version returns a null pointer. */

";

const CLOSING: &str = "
#ifdef __cplusplus
}
#endif

#endif /* CPPC_WRITER_H */
";
