//! The order in which the statements of a procedure are executed. The check of initialisers that a restart
//! jumps over needs it.
//!
//! Input: the statements of a procedure.
//! Output: blocks of events, and their successors.
//! Postcondition: each path of execution is a path of the graph. A `goto` may lead to every label.

use cppc_analysis::program::BlockId;
use cppc_source::Span;

use crate::model::{
    Callee, Class, ConstantStorage, Declaration, Directive, DirectiveKind, Expression, ExpressionKind, Item,
    ItemKind, Loop, LoopForm, LoopInit, Mention, Procedure, Statement, StatementKind, Usage, VariableId,
};

#[derive(Debug)]
pub(super) enum Event {
    /// An initialiser sets the variable.
    Initialised {
        variable: VariableId,
        name_span: Span,
    },
    Read {
        variable: VariableId,
        span: Span,
    },
    Set(VariableId),
    /// A restart continues here: at a checkpoint, or after a call that leads to one.
    Continued(Span),
    Registered(VariableId),
    Unregistered(VariableId),
    /// An execute block begins, with its captures. A restart replays it.
    Replayed {
        span: Span,
        captures: Vec<VariableId>,
    },
    ReplayEnds,
}

#[derive(Debug, Default)]
pub(super) struct FlowBlock {
    pub events: Vec<Event>,
    pub next: Vec<BlockId>,
}

/// The branches of `if` statements, and the loops.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub branches: Vec<Branch>,
    pub loops: Vec<Span>,
}

/// A branch of an `if`, and its condition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    pub text: Span,
    pub condition: Span,
}

/// Makes the blocks of a procedure. The first one is its entry. `leads` returns whether a call leads to a
/// checkpoint.
pub(super) fn flow(procedure: &Procedure, leads: &dyn Fn(&Callee) -> bool) -> (Vec<FlowBlock>, Parts) {
    let mut walker = Walker {
        procedure,
        leads,
        blocks: vec![FlowBlock::default(), FlowBlock::default()],
        current: BlockId(0),
        jump_exit: None,
        loop_step: None,
        switch: None,
        parts: Parts::default(),
    };
    walker.items(&procedure.body.items);
    (walker.blocks, walker.parts)
}

/// Every `goto` has this block as its successor, and its successors are all labels.
const ANY_LABEL: BlockId = BlockId(1);

struct Walker<'a> {
    procedure: &'a Procedure,
    leads: &'a dyn Fn(&Callee) -> bool,
    blocks: Vec<FlowBlock>,
    current: BlockId,
    /// The targets of `break` and `continue`.
    jump_exit: Option<BlockId>,
    loop_step: Option<BlockId>,
    switch: Option<Switch>,
    parts: Parts,
}

struct Switch {
    /// Each case is a successor of this block.
    head: BlockId,
    has_default: bool,
}

impl Walker<'_> {
    fn event(&mut self, event: Event) {
        self.blocks[self.current.0 as usize].events.push(event);
    }

    fn new_block(&mut self) -> BlockId {
        self.blocks.push(FlowBlock::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn edge(&mut self, from: BlockId, to: BlockId) {
        self.blocks[from.0 as usize].next.push(to);
    }

    /// Makes a block a successor of the current one, and continues in it.
    fn enter(&mut self, block: BlockId) {
        self.edge(self.current, block);
        self.current = block;
    }

    /// Makes another block the successor of the current one. The text that follows is not reached from here.
    fn leave_to(&mut self, block: Option<BlockId>) {
        if let Some(block) = block {
            self.edge(self.current, block);
        }
        self.current = self.new_block();
    }

    fn items(&mut self, items: &[Statement]) {
        items.iter().for_each(|item| self.statement(item));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Block { items, .. } => self.items(items),
            StatementKind::Expression(expression) => self.expression(expression),
            StatementKind::Return(value) => {
                value.iter().for_each(|value| self.expression(value));
                self.leave_to(None);
            }
            StatementKind::If { condition, then, otherwise } => {
                self.expression(condition);
                let condition = condition.place.unwrap_or(condition.anchor);
                for branch in std::iter::once(&**then).chain(otherwise.as_deref()) {
                    let text = branch.place.unwrap_or(branch.anchor);
                    self.parts.branches.push(Branch { text, condition });
                }
                self.choice(then, otherwise.as_deref());
            }
            StatementKind::Switch { condition, body } => {
                self.expression(condition);
                self.switch(body);
            }
            StatementKind::Loop(inner) => {
                self.parts.loops.push(statement.place.unwrap_or(statement.anchor));
                self.loop_statement(inner);
            }
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Labelled { body, is_default } => {
                let block = self.new_block();
                self.enter(block);
                if let Some(switch) = &mut self.switch {
                    switch.has_default |= is_default;
                    let head = switch.head;
                    self.edge(head, block);
                }
                self.edge(ANY_LABEL, block);
                self.statement(body);
            }
            StatementKind::Continue => self.leave_to(self.loop_step),
            StatementKind::Break => self.leave_to(self.jump_exit),
            StatementKind::Jump => self.leave_to(Some(ANY_LABEL)),
            StatementKind::JumpTo(target) => {
                self.expression(target);
                self.leave_to(Some(ANY_LABEL));
            }
            StatementKind::Directive(directive) => self.directive(directive),
            StatementKind::Opaque => self.mentions(statement.place.unwrap_or(statement.anchor)),
            StatementKind::Construct(_)
            | StatementKind::Guarded { .. }
            | StatementKind::CallWithReturns { .. } => {}
        }
    }

    fn choice(&mut self, then: &Statement, otherwise: Option<&Statement>) {
        let (head, end) = (self.current, self.new_block());
        for branch in [Some(then), otherwise] {
            self.current = head;
            if let Some(branch) = branch {
                let block = self.new_block();
                self.enter(block);
                self.statement(branch);
            }
            self.edge(self.current, end);
        }
        self.current = end;
    }

    fn switch(&mut self, body: &Statement) {
        let end = self.new_block();
        let head = self.current;
        let outer_exit = self.jump_exit.replace(end);
        let outer_switch = self.switch.replace(Switch { head, has_default: false });
        // Statements before the first case are not reached, but declarations there are in scope.
        self.current = self.new_block();
        self.statement(body);
        self.jump_exit = outer_exit;
        let switch = std::mem::replace(&mut self.switch, outer_switch);
        if !switch.is_some_and(|switch| switch.has_default) {
            self.edge(head, end);
        }
        self.enter(end);
    }

    fn loop_statement(&mut self, inner: &Loop) {
        match &inner.init {
            LoopInit::None => {}
            LoopInit::Expression(expression) => self.expression(expression),
            LoopInit::Declaration(declaration) => self.declaration(declaration),
        }
        let (head, step, end) = (self.new_block(), self.new_block(), self.new_block());
        // A constant condition is true, except in `do … while (0)`.
        let is_endless = inner.condition.as_ref().is_none_or(|condition| condition.nature.constant);
        let outer_exit = self.jump_exit.replace(end);
        let outer_step = self.loop_step.replace(step);
        self.enter(head);
        let condition_first = inner.form != LoopForm::DoWhile;
        if condition_first {
            self.header_registers(inner);
            inner.condition.iter().for_each(|condition| self.expression(condition));
            if !is_endless {
                self.edge(self.current, end);
            }
        }
        self.statement(&inner.body);
        self.enter(step);
        if !condition_first {
            inner.condition.iter().for_each(|condition| self.expression(condition));
            self.edge(self.current, end);
        }
        inner.step.iter().for_each(|step| self.expression(step));
        self.edge(self.current, head);
        self.jump_exit = outer_exit;
        self.loop_step = outer_step;
        self.current = end;
    }

    /// If the body registers a variable that the header declares, the translation registers it before the
    /// first call in the condition.
    fn header_registers(&mut self, inner: &Loop) {
        let (LoopInit::Declaration(declaration), Some(condition)) = (&inner.init, &inner.condition) else {
            return;
        };
        let mut calls = Vec::new();
        self.calls(condition, &mut calls);
        if calls.is_empty() {
            return;
        }
        let registered: Vec<Option<VariableId>> = self
            .procedure
            .directives()
            .into_iter()
            .flat_map(|directive| match &directive.kind {
                DirectiveKind::Register(items) => items.as_slice(),
                _ => &[],
            })
            .filter(|item| item.fields.is_none())
            .map(|item| item.variable)
            .collect();
        for found in declaration.declarators.iter().filter_map(|declarator| declarator.initialised) {
            if registered.contains(&Some(found.variable)) {
                self.event(Event::Registered(found.variable));
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        for declarator in &declaration.declarators {
            declarator.expressions.iter().for_each(|expression| self.expression(expression));
            let is_static = declaration.constant_storage == Some(ConstantStorage::Static);
            if let Some(found) = declarator.initialised.filter(|_| !is_static) {
                self.event(Event::Initialised { variable: found.variable, name_span: found.name_span });
            }
        }
    }

    fn directive(&mut self, directive: &Directive) {
        let span = directive.span;
        match &directive.kind {
            DirectiveKind::Init | DirectiveKind::Shutdown => {}
            DirectiveKind::Checkpoint(_) => self.event(Event::Continued(span)),
            DirectiveKind::Register(items) => {
                for variable in self.restored(items, span) {
                    self.event(Event::Registered(variable));
                }
            }
            DirectiveKind::Unregister(items) => {
                for variable in self.restored(items, span) {
                    self.event(Event::Unregistered(variable));
                }
            }
            DirectiveKind::Execute { captures, .. } => {
                let captures = self.restored(captures, span);
                for &variable in &captures {
                    self.event(Event::Read { variable, span });
                }
                self.event(Event::Replayed { span, captures });
            }
            DirectiveKind::EndExecute => self.event(Event::ReplayEnds),
        }
    }

    /// The variables that a restart sets completely or in part for these items.
    fn restored(&self, items: &[Item], at: Span) -> Vec<VariableId> {
        let variable = |item: &Item| {
            let is_target = item.kind == ItemKind::Target;
            // The register of fields does not set the pointer to their array.
            if (item.through_pointer && !is_target) || (item.fields.is_some() && is_target) {
                return None;
            }
            let is_word = |letter: &char| letter.is_alphanumeric() || *letter == '_';
            let text = item.lvalue.trim_start_matches(['(', '*']);
            let name: String = text.chars().take_while(is_word).collect();
            item.variable.or_else(|| self.procedure.visible(&name, at.start))
        };
        items.iter().filter_map(variable).collect()
    }

    /// Treats each mention of a variable in a part of the text as a setting, because the part is not analysed
    /// further.
    fn mentions(&mut self, span: Span) {
        let mentions = within(self.procedure, span).map(|mention| Event::Set(mention.variable));
        mentions.collect::<Vec<_>>().into_iter().for_each(|event| self.event(event));
    }

    /// The effects of an expression, in the order of evaluation. If a variable is read in the same expression
    /// as a call, it is read after the call, because the restart evaluates the rest of the expression with
    /// the result of the call. An assignment is after the calls in its value, even if it ends with one of
    /// them.
    fn expression(&mut self, expression: &Expression) {
        const CONTINUED: u32 = u32::MAX - 2;
        const READ_AGAIN: u32 = u32::MAX - 1;
        const ASSIGNED: u32 = u32::MAX;
        let span = expression.place.unwrap_or(expression.anchor);
        let mut calls = Vec::new();
        self.calls(expression, &mut calls);
        let last = calls.iter().map(|call| call.place.end).max();
        let mut events: Vec<((u32, u32), Event)> =
            calls.iter().map(|call| ((call.place.end, CONTINUED), Event::Continued(call.place))).collect();
        for mention in within(self.procedure, span) {
            let Mention { variable, span, usage, order } = *mention;
            let call =
                calls.iter().filter(|call| call.place.contains(span)).min_by_key(|call| call.place.end);
            let ends_with_call =
                || calls.iter().any(|call| call.place.end == order.0 && !call.place.contains(span));
            let order = match (usage, call, last) {
                (Usage::Read, Some(call), _) if call.passes_again(span) => (call.place.end, READ_AGAIN),
                (Usage::Read, None, Some(last)) => order.max((last, READ_AGAIN)),
                (Usage::Set, _, _) if ends_with_call() => (order.0, ASSIGNED),
                _ => order,
            };
            events.push((
                order,
                match usage {
                    Usage::Read => Event::Read { variable, span },
                    Usage::Set => Event::Set(variable),
                },
            ));
        }
        events.sort_by_key(|event| event.0);
        events.into_iter().for_each(|(_, event)| self.event(event));
    }

    /// The calls in an expression that lead to a checkpoint.
    fn calls<'e>(&self, expression: &'e Expression, found: &mut Vec<LeadingCall<'e>>) {
        if let ExpressionKind::Call { callee, arguments, .. } = &expression.kind {
            if (self.leads)(callee) {
                let place = expression.place.unwrap_or(expression.anchor);
                found.push(LeadingCall { place, arguments });
            }
        }
        expression.children().into_iter().for_each(|child| self.calls(child, found));
    }
}

/// A call that leads to a checkpoint.
struct LeadingCall<'e> {
    place: Span,
    arguments: &'e [Expression],
}

impl LeadingCall<'_> {
    /// Whether this is in an argument that the restart evaluates again. Numbers are recorded with the call.
    fn passes_again(&self, span: Span) -> bool {
        self.arguments.iter().any(|argument| {
            argument.ty.class == Class::Pointer && argument.place.unwrap_or(argument.anchor).contains(span)
        })
    }
}

/// The mentions in a part of the text.
fn within(procedure: &Procedure, span: Span) -> impl Iterator<Item = &Mention> {
    let all = &procedure.mentions;
    let first = all.partition_point(|mention| mention.span.start < span.start);
    all[first..].iter().take_while(move |mention| mention.span.start < span.end)
}
