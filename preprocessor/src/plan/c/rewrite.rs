//! The plan of a procedure of C: rewrites of its text, as data.

use std::sync::Arc;

use cppc_source::Span;

use crate::model::{CommandLine, Graph, RecordType, ValueType};
use crate::plan::{Action, Fragment, Hole, Step};

#[derive(Debug)]
pub struct BodyPlan {
    pub command_line: Option<CommandLine>,
    /// The blocks that something can jump to: all but `init`.
    pub targets: Vec<u32>,
    /// What the procedure returns.
    pub result: Option<ValueType>,
    /// Where the structure of saved copies and the dispatch go: a byte of the body's top level.
    pub opening: u32,
    /// The closing brace.
    pub closing: u32,
    /// Whether control can reach the closing brace, or a goto jumps to the exit label.
    pub exit_label: bool,
    /// Structures whose description the procedure needs.
    pub records: Vec<Arc<RecordType>>,
    pub graphs: Vec<Arc<Graph>>,
    /// Where the procedure begins, to put descriptions before it.
    pub start: u32,
    pub rewrites: Vec<Rewrite>,
    /// Whether a `longjmp` may return to it.
    pub calls_setjmp: bool,
}

/// One change of the text.
#[derive(Debug)]
pub enum Rewrite {
    OpenBrace {
        at: u32,
    },
    CloseBrace {
        opened: u32,
        at: u32,
    },
    /// The line of a directive becomes its generated code.
    Directive {
        span: Span,
        action: Action,
    },
    /// Before a statement.
    Steps {
        at: u32,
        steps: Vec<Step>,
    },
    /// A statement becomes only steps.
    Become {
        span: Span,
        steps: Vec<Step>,
    },
    /// An expression becomes a slot.
    Hole(Hole),
    /// An expression is removed, or becomes the constant true.
    Vanish {
        span: Span,
        always: bool,
    },
    /// `return value;` becomes a jump to the exit. It needs braces if it is the body of an `if` without
    /// braces. It needs no jump if it is the last statement.
    Return {
        span: Span,
        value: Option<Fragment>,
        braces: bool,
        last: bool,
    },
    /// At the start of a loop's body: steps, then the loop ends if the condition is false.
    Condition {
        at: u32,
        wrapped: bool,
        steps: Vec<Step>,
        condition: Fragment,
    },
    /// At the end of a loop's body: the new target of `continue`, steps, then the step expression.
    LoopEnd {
        body: Span,
        label: u32,
        labelled: bool,
        steps: Vec<Step>,
        evaluate: Option<Fragment>,
    },
    /// `continue;`
    Continue {
        span: Span,
        label: u32,
    },
    /// The statement at this place calls `setjmp`. `CPPC_Jump_point` is called before it.
    JumpPoint(Span),
    /// A declaration becomes static. The word is inserted before it, or replaces another word.
    Static {
        at: u32,
        instead_of: Option<Span>,
    },
    /// `, next` in a declaration: it ends here, steps, then it begins again.
    Split {
        span: Span,
        steps: Vec<Step>,
        specifiers: Span,
    },
}
