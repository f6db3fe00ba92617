//! Messages about memory that a restart restores, but not as it was.
//!
//! Input: a finding. Output: a diagnostic.

use super::witnesses;
use cppc_analysis::check::{Analysis, Finding, FindingKind};
use cppc_source::Diagnostic;

pub fn register_of_another_size(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let pointer = pointer_in(name);
    let (code, message, because, help) = match finding.kind {
        FindingKind::NewerThanRegister => (
            "C0707",
            format!("`{name}` may have been allocated again before this checkpoint, and was not registered again"),
            "the register saves the number of bytes that it had before",
            format!(
                "write `register({name})` after the allocation, or `register({pointer}[])` to save all that the pointer has at each checkpoint"
            ),
        ),
        FindingKind::ExchangedRegister => (
            "C0708",
            format!(
                "`{name}` saves as many elements as before, and its pointer may take over memory of another size"
            ),
            "a restart may restore only a part of the memory that the pointer has here",
            format!(
                "write `register({pointer}[])` to save all that the pointer has at each checkpoint, or register it again after the exchange"
            ),
        ),
        FindingKind::MovedPointer => (
            "C0708",
            format!("`{name}` saves memory from where `{pointer}` points, and `{pointer}` may have been moved"),
            "what is before the moved pointer is lost in a restart, and `free` fails",
            format!(
                "keep the pointer that `malloc` returned in a variable of its own, register it with all elements, and register `{pointer}[0]`"
            ),
        ),
        FindingKind::GrownRegister => (
            "C0708",
            format!("`{name}` saves as many elements as it had when it was registered, and has more now"),
            "a restart does not restore the others",
            "register it again after the change, or register the largest number of elements".to_owned(),
        ),
        _ => (
            "C0708",
            format!("`{name}` registers only a part of the memory"),
            "a restart does not restore the rest",
            format!(
                "register the number of elements that is allocated, or write `register({pointer}[])` for all of them"
            ),
        ),
    };
    let found = Diagnostic::warning(code, at, message).because(because);
    registered(analysis, finding, found).help(help)
}

pub fn address_hash(analysis: &Analysis, finding: &Finding, is_index: bool) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let used = finding.written.as_ref().map_or(at, |used| analysis.operation(used.site).span);
    let message = format!(
        "`{name}` depends on a number that is computed from an address, and a restart gives other addresses"
    );
    let found = Diagnostic::warning("C0720", at, message).because("the number differs after a restart");
    let found = match is_index {
        true => found.label(used, format!("it chooses an element of `{name}` here")),
        false => found.label(used, format!("`{name}` is set here")),
    };
    found.help("compute the number from something else, such as an index or an identifier, or fill the memory again after the restart")
}

/// Adds the register and what happens to its memory.
fn registered(analysis: &Analysis, finding: &Finding, mut found: Diagnostic) -> Diagnostic {
    if let Some(register) = finding.register {
        found =
            found.label(analysis.operation(register).span, format!("`{}` is registered here", finding.text));
    }
    match (&finding.kind, finding.variable, &finding.written) {
        (FindingKind::GrownRegister, Some(variable), Some(grown)) => {
            let name = &analysis.summaries.places.program.variables[variable.0 as usize].name;
            found.label(analysis.operation(grown.site).span, format!("`{name}` becomes larger here"))
        }
        _ => witnesses(analysis, finding, found),
    }
}

/// The pointer in a registered name: `p` of `p[n]` and of `*p`.
fn pointer_in(name: &str) -> &str {
    let pointer = name.rsplit_once('[').map_or(name, |(pointer, _)| pointer);
    pointer.trim_start_matches('*')
}
