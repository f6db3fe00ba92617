//! The C front end: bytes → preprocessing tokens → tokens with origins → tree.

pub mod token;
pub mod language;
pub mod logical;
pub mod lexer;
pub mod preprocess;
pub mod tree;
pub mod parse;
pub mod dump;
