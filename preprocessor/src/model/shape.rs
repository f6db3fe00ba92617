//! The shape of a call, which determines whether a call through a pointer can call a procedure.

/// The shape of a call or a procedure: result and parameters as text, or unknown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(pub String);

impl Shape {
    /// Unknown. It fits every shape.
    pub const ANY: Shape = Shape(String::new());

    pub fn fits(&self, other: &Shape) -> bool {
        *self == Shape::ANY || *other == Shape::ANY || self == other
    }
}
