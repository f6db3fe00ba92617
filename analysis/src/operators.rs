//! The operators and functions in expressions of the program.
//!
//! Input: none, because this file contains only types.
//! Postcondition: an operator computes with the values of its operands, without the range of a type.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// How a program asks for an input file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputFile {
    /// The status of OPEN with `STATUS='OLD'`: 0 if the file exists.
    OpenStatus,
    Exists,
}

/// A constant of a real type: the bits of the nearest `f64`, and the size of the type, 4 or 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RealConstant {
    pub bits: u64,
    pub bytes: u8,
    /// Whether it is written as one literal. The compiler may round other constants in several steps.
    pub is_literal: bool,
}

/// Functions with real arguments or results. The number is the size of the type of the result. `Integer` drops the fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RealFunction {
    Convert(u8),
    Negate,
    Add(u8),
    Subtract(u8),
    Multiply(u8),
    Divide(u8),
    SquareRoot(u8),
    Logarithm(u8),
    Logarithm2(u8),
    Logarithm10(u8),
    Truncate,
    Floor,
    Ceiling,
    Round,
    Integer,
    Compare(Comparison),
}

/// Operators of integers. Truth values are 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    /// Towards zero.
    Divide,
    /// The remainder of `Divide`.
    Remainder,
    /// The remainder with the sign of the divisor.
    Modulo,
    Power,
    Minimum,
    Maximum,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Compare(Comparison),
    And,
    Or,
}
