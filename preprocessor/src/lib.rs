//! From trees and directives to rewritten text.
