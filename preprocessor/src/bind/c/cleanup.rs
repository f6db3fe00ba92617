//! The attribute `cleanup`.
//!
//! Input: the attributes of a variable. Output: the function that the compiler calls at the end of its scope.

use cppc_grammar::c::token::Preprocessed;
use cppc_grammar::c::tree::{Attribute, Declaration};

/// The token of the function that `__attribute__((cleanup(f)))` names for a declarator.
pub fn cleanup_function(
    preprocessed: &Preprocessed,
    declaration: &Declaration,
    declarator: usize,
) -> Option<u32> {
    let own = declaration.declarators.get(declarator).map(|init| &init.declarator.attributes);
    let mut attributes = declaration.specifiers.attributes.iter().chain(own.into_iter().flatten());
    attributes.find_map(|attribute| in_attribute(preprocessed, attribute))
}

fn in_attribute(preprocessed: &Preprocessed, attribute: &Attribute) -> Option<u32> {
    let range = attribute.range.start as usize..attribute.range.end as usize;
    let tokens = preprocessed.tokens.get(range)?;
    let text = |at: usize| tokens.get(at).map_or("", |token| preprocessed.names.text(token.text));
    let found =
        (0..tokens.len()).find(|&at| text(at).trim_matches('_') == "cleanup" && text(at + 1) == "(")?;
    (found + 2 < tokens.len()).then_some(attribute.range.start + found as u32 + 2)
}
