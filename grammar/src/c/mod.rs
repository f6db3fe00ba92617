//! The C front end: bytes → preprocessing tokens → tokens with origins → tree.

pub mod token;
pub mod tree;
