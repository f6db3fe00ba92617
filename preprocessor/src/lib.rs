//! From trees and directives to rewritten text.

pub mod bind;
