//! Arguments with keywords, in calls of procedures without source.
//!
//! Input: the name of the procedure for the analyses, and the arguments.
//! Output: which argument each parameter of the catalogue's entry gets.
//! Postcondition: without keywords, without an entry, and with a keyword that the entry does not have, the order is that of
//! the call.

use std::sync::OnceLock;

use cppc_analysis::catalogue::Catalogue;
use cppc_grammar::fortran::tree::Argument;

/// For each parameter, the index of its argument. `None` if it has none.
pub fn order(procedure: &str, arguments: &[&Argument]) -> Vec<Option<usize>> {
    let as_written = || (0..arguments.len()).map(Some).collect();
    if arguments.iter().all(|argument| argument.keyword.is_none()) {
        return as_written();
    }
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    let Some(entry) = CATALOGUE.get_or_init(Catalogue::built_in).entry(procedure) else {
        return as_written();
    };
    let mut order: Vec<Option<usize>> = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let position = argument.keyword.as_ref().map_or(Some(index), |word| {
            entry.parameters.iter().position(|parameter| parameter.name.eq_ignore_ascii_case(&word.text))
        });
        let Some(position) = position else { return as_written() };
        order.resize(order.len().max(position + 1), None);
        order[position] = Some(index);
    }
    order
}
