//! Values of several processes at once.
//!
//! Postcondition: `One` means that all processes have the same value, also if it is not known. A value of one process
//! that is not known is `Unknown`, never a guess.

use crate::program::{Comparison, Operator};
use crate::sets::Memory;

/// The value of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Val {
    Int(i64),
    Real(Real),
    /// The address of this byte.
    Pointer(Memory, i64),
    /// The address of some byte of this memory.
    Inside(Memory),
    /// An index into `Groups`.
    Communicator(u32),
    /// A request that a call made in this memory.
    Request(Memory, i64),
    /// Another handle that a call made in this memory: a window, a file.
    Handle(Memory, i64),
    Named(Constant),
    Unknown,
}

/// An interval that contains a real number. Its ends are the bits of two `f64`, so that values can be compared and sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Real {
    pub low: u64,
    pub high: u64,
}

/// What MPI or the system defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constant {
    World,
    Myself,
    NullProcess,
    AnySource,
    AnyTag,
    NullRequest,
    NullCommunicator,
    /// The arguments of the program, which are the same in all processes.
    Arguments,
    /// A positive status of an input or output statement.
    Failure,
}

/// The value of each process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Vals {
    One(Val),
    Each(Vec<Val>),
}

impl Vals {
    /// The same in all processes, and not known.
    pub const SAME: Vals = Vals::One(Val::Unknown);

    pub fn different(count: usize) -> Vals {
        Vals::Each(vec![Val::Unknown; count])
    }

    /// Equal values that are known are one value.
    pub fn of(values: Vec<Val>) -> Vals {
        let first = values[0];
        match first != Val::Unknown && values.iter().all(|&value| value == first) {
            true => Vals::One(first),
            false => Vals::Each(values),
        }
    }

    pub fn of_process(&self, process: usize) -> Val {
        match self {
            Vals::One(value) => *value,
            Vals::Each(values) => values[process],
        }
    }

    pub fn map(&self, change: impl Fn(Val) -> Val) -> Vals {
        match self {
            Vals::One(value) => Vals::One(change(*value)),
            Vals::Each(values) => Vals::of(values.iter().map(|&value| change(value)).collect()),
        }
    }

    pub fn zip(&self, other: &Vals, count: usize, combine: impl Fn(Val, Val) -> Val) -> Vals {
        match (self, other) {
            (Vals::One(left), Vals::One(right)) => Vals::One(combine(*left, *right)),
            _ => {
                let each = |process| combine(self.of_process(process), other.of_process(process));
                Vals::of((0..count).map(each).collect())
            }
        }
    }

    pub fn is_same(&self) -> bool {
        matches!(self, Vals::One(_))
    }

    /// The value if all processes of the mask have this known value.
    pub fn known(&self, mask: &[bool]) -> Option<Val> {
        match self {
            Vals::One(Val::Unknown) => None,
            Vals::One(value) => Some(*value),
            Vals::Each(values) => {
                let mut own = values.iter().zip(mask).filter(|(_, &is_in)| is_in).map(|(value, _)| *value);
                let first = own.next()?;
                (first != Val::Unknown && own.all(|value| value == first)).then_some(first)
            }
        }
    }

    pub fn known_integer(&self, mask: &[bool]) -> Option<i64> {
        match self.known(mask)? {
            Val::Int(value) => Some(value),
            _ => None,
        }
    }
}

/// Where several paths meet. `same`: all processes have taken the same path.
pub fn joined(left: &Vals, right: &Vals, count: usize, same: bool) -> Vals {
    match (left, right) {
        (Vals::One(left), Vals::One(right)) if left == right => Vals::One(*left),
        (Vals::One(_), Vals::One(_)) if same => Vals::SAME,
        _ => {
            let one = |process| match (left.of_process(process), right.of_process(process)) {
                (left, right) if left == right => left,
                _ => Val::Unknown,
            };
            Vals::of((0..count).map(one).collect())
        }
    }
}

/// Whether a value counts as true, if that is known.
pub fn truth(value: Val) -> Option<bool> {
    match value {
        Val::Int(number) => Some(number != 0),
        Val::Pointer(..) | Val::Inside(_) | Val::Named(Constant::Failure) => Some(true),
        Val::Real(_)
        | Val::Communicator(_)
        | Val::Request(..)
        | Val::Handle(..)
        | Val::Named(_)
        | Val::Unknown => None,
    }
}

pub fn computed(operator: Operator, left: Val, right: Val) -> Val {
    match operator {
        Operator::And => match (truth(left), truth(right)) {
            (Some(false), _) | (_, Some(false)) => Val::Int(0),
            (Some(true), Some(true)) => Val::Int(1),
            _ => Val::Unknown,
        },
        Operator::Or => match (truth(left), truth(right)) {
            (Some(true), _) | (_, Some(true)) => Val::Int(1),
            (Some(false), Some(false)) => Val::Int(0),
            _ => Val::Unknown,
        },
        Operator::Compare(comparison) => compared(comparison, left, right),
        _ => match (left, right) {
            (Val::Int(left), Val::Int(right)) => {
                arithmetic(operator, left, right).map_or(Val::Unknown, Val::Int)
            }
            _ => Val::Unknown,
        },
    }
}

fn arithmetic(operator: Operator, left: i64, right: i64) -> Option<i64> {
    let shift = || u32::try_from(right).ok().filter(|&bits| bits < 31 && left >= 0);
    let value = match operator {
        Operator::Add => left.checked_add(right)?,
        Operator::Subtract => left.checked_sub(right)?,
        Operator::Multiply => left.checked_mul(right)?,
        Operator::Divide => left.checked_div(right)?,
        Operator::Remainder => left.checked_rem(right)?,
        Operator::Modulo => left.checked_rem(right)?.checked_add(right)?.checked_rem(right)?,
        Operator::Power => left.checked_pow(u32::try_from(right).ok()?)?,
        Operator::Minimum => left.min(right),
        Operator::Maximum => left.max(right),
        Operator::BitAnd => left & right,
        Operator::BitOr => left | right,
        Operator::BitXor => left ^ right,
        Operator::ShiftLeft => left.checked_mul(1 << shift()?)?,
        Operator::ShiftRight => left >> shift()?,
        Operator::Compare(_) | Operator::And | Operator::Or => return None,
    };
    // The types of the program are not known here. All of them hold these numbers.
    i32::try_from(value).ok().map(i64::from)
}

pub fn compared(comparison: Comparison, left: Val, right: Val) -> Val {
    let answer = match (left, right) {
        (Val::Int(left), Val::Int(right)) => Some(match comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
        }),
        (Val::Named(Constant::Failure), Val::Int(0)) => match comparison {
            Comparison::Greater | Comparison::GreaterOrEqual | Comparison::NotEqual => Some(true),
            Comparison::Less | Comparison::LessOrEqual | Comparison::Equal => Some(false),
        },
        _ => equal(left, right).and_then(|equal| match comparison {
            Comparison::Equal => Some(equal),
            Comparison::NotEqual => Some(!equal),
            _ => None,
        }),
    };
    answer.map_or(Val::Unknown, |answer| Val::Int(i64::from(answer)))
}

/// `MPI_COMM_NULL` of MPICH, and of Open MPI in Fortran.
const NULL_COMMUNICATORS: [i64; 2] = [0x0400_0000, 2];

/// Whether two values that are not both numbers are equal, if that is known.
fn equal(left: Val, right: Val) -> Option<bool> {
    match (left, right) {
        (Val::Unknown | Val::Inside(_), _) | (_, Val::Unknown | Val::Inside(_)) => None,
        (Val::Named(Constant::NullProcess), Val::Int(0..))
        | (Val::Int(0..), Val::Named(Constant::NullProcess)) => Some(false),
        (Val::Named(Constant::NullCommunicator), Val::Communicator(_))
        | (Val::Communicator(_), Val::Named(Constant::NullCommunicator)) => Some(false),
        (Val::Communicator(_), Val::Int(number)) | (Val::Int(number), Val::Communicator(_)) => {
            NULL_COMMUNICATORS.contains(&number).then_some(false)
        }
        (Val::Named(Constant::NullCommunicator), Val::Int(number))
        | (Val::Int(number), Val::Named(Constant::NullCommunicator)) => {
            NULL_COMMUNICATORS.contains(&number).then_some(true)
        }
        (Val::Named(left), Val::Named(right)) => (left == right).then_some(true),
        (Val::Pointer(..), Val::Pointer(..)) => Some(left == right),
        (Val::Pointer(..), Val::Int(0)) | (Val::Int(0), Val::Pointer(..)) => Some(false),
        _ => None,
    }
}
