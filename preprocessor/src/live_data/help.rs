//! What to do about a value that a restart does not restore (C0701).
//!
//! Input: a finding, and the place of its checkpoint.
//! Output: the text of the help.

use cppc_analysis::check::{Analysis, Finding};
use cppc_analysis::nameless::Nameless;
use cppc_source::Span;

use super::{has_thread_copies, is_elsewhere, is_fortran_code, is_of_entries};

pub(super) fn help(analysis: &Analysis, finding: &Finding, at: Span) -> String {
    let name = &finding.text;
    let nameless = finding.memory.and_then(|range| analysis.summaries.nameless(range.memory));
    match finding.variable {
        Some(id) if has_thread_copies(analysis, id) => format!(
            "a register saves the copy of one thread: before the checkpoint, copy the values of all threads to a registered array, and set `{name}` from it after the checkpoint; if the parallel regions need only the value of the main thread, add `copyin({name})` to them"
        ),
        Some(id) if is_of_entries(analysis, id) => format!(
            "declare `{name}` in a module or a COMMON block, and register it in another procedure: a procedure with ENTRY can have no directive"
        ),
        Some(id) if is_elsewhere(analysis, id, at) => format!(
            "write `register({name})` in a procedure of the file that declares `{name}`, and call this procedure once before the checkpoint"
        ),
        Some(_) => format!("write `register({name})` where `{name}` has its memory, before the checkpoint"),
        None if nameless == Some(Nameless::Literal) => {
            "declare a variable instead of the compound literal, and register it".to_owned()
        }
        None if nameless == Some(Nameless::Stack) => {
            "use `malloc` instead of `alloca`, or an array with a variable length, and register it".to_owned()
        }
        None if nameless == Some(Nameless::Arguments) => format!(
            "copy the text into a variable, change it there, and register the variable, or change `{name}` before `init`"
        ),
        None if is_fortran_code(analysis, finding) => format!(
            "register the variable with the memory of `{name}` in a procedure that is active at the checkpoint"
        ),
        None => format!(
            "register the memory of `{name}` with its number of elements, in a procedure that is active at the checkpoint, such as `register(p[n])`"
        ),
    }
}
