//! The shape of a call: whether a call through a pointer and a procedure fit.

/// Whether a call through a pointer and a procedure fit: result and parameters as text, or unknown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(pub String);

impl Shape {
    /// Nothing is known: it fits every shape.
    pub const ANY: Shape = Shape(String::new());

    pub fn fits(&self, other: &Shape) -> bool {
        *self == Shape::ANY || *other == Shape::ANY || self == other
    }
}
