//! Constants whose initialisers a restart jumps over.
//!
//! Input: a program, and which of its procedures are instrumented.
//! Output: declarations that state how their constants are kept, each with a register block after it if its
//! constants have to be registered.
//! Postcondition: at each place where a restart continues, each constant that is read later has its value, or
//! there is a diagnostic.

use std::collections::BTreeSet;

use cppc_source::{Diagnostic, Span};

use super::checks::opening;
use crate::model::{
    Callee, Constant, ConstantStorage, Declaration, Directive, DirectiveKind, Expression, ExpressionKind,
    Item, Language, LoopInit, Procedure, ProcedureId, Program, Statement, StatementId, StatementKind,
    ValueType, VariableId,
};
use crate::plan::reach::Reach;

/// Decides for all constants of a program how they are kept.
pub(in crate::plan) fn settle(program: &mut Program, reach: &Reach) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for index in 0..program.procedures.len() {
        let procedure = &program.procedures[index];
        if procedure.language != Language::C || !reach.is_instrumented(ProcedureId(index)) {
            continue;
        }
        let Some(body) = procedure.body.place else { continue };
        let jumps = Jumps::of(reach, procedure, body);
        if jumps.landings.is_empty() {
            continue;
        }
        let mut settling = Settling {
            jumps,
            registered: registered(procedure),
            is_executing: false,
            diagnostics: Vec::new(),
            statics: Vec::new(),
            saved: Vec::new(),
            kept: Vec::new(),
            next_statement: procedure.next_statement,
        };
        let procedure = &mut program.procedures[index];
        settling.items(&mut procedure.body.items);
        procedure.next_statement = settling.next_statement;
        let kept = std::mem::take(&mut settling.kept);
        capture(&mut procedure.body.items, &kept);
        for variable in settling.statics {
            procedure.variables[variable.0].is_static = true;
        }
        for (variable, ty) in settling.saved {
            procedure.variables[variable.0].saved_type = ty;
        }
        diagnostics.append(&mut settling.diagnostics);
    }
    diagnostics
}

/// Where restarts enter a procedure.
pub(super) struct Jumps {
    landings: Vec<u32>,
    loops: Vec<Span>,
    /// Statements that end before this byte run again in a restart.
    pub(super) from: u32,
    /// The order of execution may differ from the order of the text.
    anywhere: bool,
}

impl Jumps {
    pub(super) fn of(reach: &Reach, procedure: &Procedure, body: Span) -> Jumps {
        let from = opening(procedure, body);
        let mut jumps = Jumps { landings: Vec::new(), loops: Vec::new(), from, anywhere: procedure.jumps };
        let mut init = None;
        let leads = |expression: &Expression, to: Goal| leads(reach, procedure, expression, to);
        for statement in &procedure.body.items {
            jumps.gather(statement, &leads, &mut init);
        }
        jumps.from = jumps.from.max(init.unwrap_or(0));
        jumps
    }

    fn gather(
        &mut self,
        statement: &Statement,
        leads: &dyn Fn(&Expression, Goal) -> bool,
        init: &mut Option<u32>,
    ) {
        let place = statement.place.unwrap_or(statement.anchor);
        let mut begins = false;
        match &statement.kind {
            StatementKind::Directive(directive) => match directive.kind {
                DirectiveKind::Register(_) | DirectiveKind::Execute { .. } | DirectiveKind::Checkpoint(_) => {
                    self.landings.push(place.start);
                }
                DirectiveKind::Init => begins = true,
                DirectiveKind::Shutdown | DirectiveKind::Unregister(_) | DirectiveKind::EndExecute => {}
            },
            StatementKind::Loop(inner) => {
                self.loops.push(place);
                let mut head = inner.condition.iter().chain(&inner.step);
                if head.any(|e| leads(e, Goal::Block)) {
                    let body = inner.body.place.unwrap_or(inner.body.anchor);
                    self.landings.extend([body.start, body.end]);
                }
            }
            _ => {}
        }
        let own = statement.expressions();
        if own.iter().any(|e| leads(e, Goal::Block)) {
            self.landings.push(place.start);
        }
        if init.is_none() && (begins || own.iter().any(|e| leads(e, Goal::Init))) {
            *init = Some(place.start);
        }
        for child in statement.children() {
            self.gather(child, leads, init);
        }
    }

    /// Whether a restart continues after the declaration of a constant, and may read the constant later.
    fn jump_over(&self, constant: &Constant, declared: u32) -> bool {
        let inside = |byte: u32| declared <= byte && byte < constant.scope.end;
        let again = |landing: u32, read: u32| {
            let around = self.loops.iter().filter(|l| l.end <= constant.scope.end);
            around.into_iter().any(|l| [landing, read].iter().all(|byte| (l.start..l.end).contains(byte)))
        };
        let may_read = |landing: u32| match &constant.reads {
            None => true,
            Some(reads) => self.anywhere || reads.iter().any(|&read| landing <= read || again(landing, read)),
        };
        self.landings.iter().any(|&landing| inside(landing) && may_read(landing))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Block,
    Init,
}

/// Whether an expression calls an instrumented procedure, or one that leads to `init`.
fn leads(reach: &Reach, procedure: &Procedure, expression: &Expression, to: Goal) -> bool {
    let is_target = |callee: &Callee| match to {
        Goal::Block => reach.may_be_instrumented(procedure.unit, callee),
        Goal::Init => reach.leads_to_init(procedure.unit, callee),
    };
    let here = match &expression.kind {
        ExpressionKind::Call { callee, .. } => is_target(callee),
        ExpressionKind::Statements(sites) => sites.iter().any(|site| is_target(&site.callee)),
        _ => false,
    };
    here || expression.children().into_iter().any(|child| leads(reach, procedure, child, to))
}

struct Settling {
    jumps: Jumps,
    /// The variables that directives register. A restart assigns their values.
    registered: BTreeSet<VariableId>,
    /// Whether this is in an execute block, which a restart runs again with its declarations.
    is_executing: bool,
    diagnostics: Vec<Diagnostic>,
    /// Variables that become static.
    statics: Vec<VariableId>,
    /// Variables that lose their `const`, and have slots.
    saved: Vec<(VariableId, Option<ValueType>)>,
    /// Constants that become registered, with the bytes at which they have their value and at which they are
    /// read.
    kept: Vec<KeptConstant>,
    next_statement: StatementId,
}

struct KeptConstant {
    item: Item,
    scope: Span,
    reads: Option<Vec<u32>>,
}

/// A restart may replay an execute block of a procedure that has returned. The registers of this procedure do
/// not exist then. So the block captures the constants that it reads.
fn capture(items: &mut [Statement], kept: &[KeptConstant]) {
    let ends = |statement: &Statement| {
        matches!(&statement.kind, StatementKind::Directive(Directive { kind: DirectiveKind::EndExecute, .. }))
    };
    for at in 0..items.len() {
        let end = items[at..].iter().find(|later| ends(later)).map_or(u32::MAX, |later| later.anchor.start);
        let begin = items[at].anchor.start;
        let statement = &mut items[at];
        if let StatementKind::Directive(Directive {
            kind: DirectiveKind::Execute { captures, files }, ..
        }) = &mut statement.kind
        {
            let is_read = |constant: &&KeptConstant| {
                let named = files.iter().any(|file| file.name.contains(&constant.item.lvalue));
                let read = |reads: &Vec<u32>| reads.iter().any(|read| (begin..end).contains(read));
                let is_there = constant.scope.start <= begin && begin < constant.scope.end;
                is_there && (named || constant.reads.as_ref().is_none_or(read))
            };
            captures.extend(kept.iter().filter(is_read).map(|constant| constant.item.clone()));
            continue;
        }
        match &mut statement.kind {
            StatementKind::Block { items, .. } => capture(items, kept),
            StatementKind::If { then, otherwise, .. } => {
                capture(std::slice::from_mut(then), kept);
                otherwise.iter_mut().for_each(|otherwise| capture(std::slice::from_mut(otherwise), kept));
            }
            StatementKind::Switch { body, .. } | StatementKind::Labelled { body, .. } => {
                capture(std::slice::from_mut(body), kept)
            }
            StatementKind::Loop(inner) => capture(std::slice::from_mut(&mut inner.body), kept),
            _ => {}
        }
    }
}

impl Settling {
    fn items(&mut self, items: &mut Vec<Statement>) {
        let mut settled = Vec::with_capacity(items.len());
        for mut statement in items.drain(..) {
            let register = self.statement(&mut statement);
            settled.push(statement);
            settled.extend(register);
        }
        *items = settled;
    }

    /// The statement that has to be inserted after this one.
    fn statement(&mut self, statement: &mut Statement) -> Option<Statement> {
        let place = statement.place;
        match &mut statement.kind {
            StatementKind::Declaration(declaration) => return self.declaration(declaration, place),
            StatementKind::Labelled { body, .. } => return self.statement(body),
            StatementKind::Directive(directive) => match directive.kind {
                DirectiveKind::Execute { .. } => self.is_executing = true,
                DirectiveKind::EndExecute => self.is_executing = false,
                _ => {}
            },
            StatementKind::Block { items, .. } => self.items(items),
            StatementKind::If { then, otherwise, .. } => {
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::Switch { body, .. } => {
                self.statement(body);
            }
            StatementKind::Loop(inner) => {
                if let LoopInit::Declaration(declaration) = &inner.init {
                    self.loop_header(declaration);
                }
                self.statement(&mut inner.body);
            }
            _ => {}
        }
        None
    }

    fn declaration(&mut self, declaration: &mut Declaration, place: Option<Span>) -> Option<Statement> {
        let place = place?;
        if !declaration.declarators.iter().any(|declarator| self.is_lost(declarator.constant.as_ref(), place))
        {
            return None;
        }
        let is_known =
            |constant: &Constant| constant.is_known && !self.registered.contains(&constant.variable);
        if declaration.declarators.iter().all(|d| d.constant.as_ref().is_some_and(is_known)) {
            declaration.constant_storage = Some(ConstantStorage::Static);
            self.statics.extend(
                declaration.declarators.iter().filter_map(|d| d.constant.as_ref()).map(|c| c.variable),
            );
            return None;
        }
        let constants = declaration.declarators.iter().filter_map(|d| d.constant.as_ref());
        let lost = constants.filter(|constant| !constant.is_variable && self.is_lost(Some(constant), place));
        let lost: Vec<&Constant> = lost.collect();
        if lost.is_empty() {
            return None;
        }
        let (mut items, mut saved, mut kept, mut refused) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for constant in lost {
            match (&constant.item, &declaration.constant_words) {
                (Some(item), Some(_)) => {
                    let scope = Span::new(place.file, place.end, constant.scope.end.max(place.end));
                    kept.push(KeptConstant { item: item.clone(), scope, reads: constant.reads.clone() });
                    saved.extend(item.variable.map(|variable| (variable, constant.saved_type.clone())));
                    items.push(item.clone());
                }
                _ => refused.push(refusal(constant, "declare it without `const` in a declaration of its own, and register it, or set it again in an `execute` block")),
            }
        }
        if !refused.is_empty() {
            self.diagnostics.append(&mut refused);
            return None;
        }
        declaration.constant_storage = Some(ConstantStorage::Registered);
        self.saved.append(&mut saved);
        self.kept.append(&mut kept);
        let span = Span::new(place.file, place.end, place.end);
        let kind = StatementKind::Directive(Directive { span, kind: DirectiveKind::Register(items) });
        let id = self.next_statement;
        self.next_statement.0 += 1;
        Some(Statement { id, place: Some(span), anchor: span, label: None, kind })
    }

    /// No statement can be inserted after a declaration in the header of a loop.
    fn loop_header(&mut self, declaration: &Declaration) {
        let Some(place) = declaration.place else { return };
        let constants = declaration.declarators.iter().filter_map(|d| d.constant.as_ref());
        for constant in constants.filter(|constant| !constant.is_variable) {
            if self.is_lost(Some(constant), place) {
                self.diagnostics.push(refusal(constant, "declare it before the loop"));
            }
        }
    }

    fn is_lost(&self, constant: Option<&Constant>, place: Span) -> bool {
        let is_over = |constant| self.jumps.jump_over(constant, place.end);
        !self.is_executing && place.start >= self.jumps.from && constant.is_some_and(is_over)
    }
}

fn registered(procedure: &Procedure) -> BTreeSet<VariableId> {
    let items = procedure.directives().into_iter().filter_map(|directive| match &directive.kind {
        DirectiveKind::Register(items) => Some(items),
        _ => None,
    });
    items.flatten().filter_map(|item| item.variable).collect()
}

fn refusal(constant: &Constant, help: &str) -> Diagnostic {
    let message = format!("a restart jumps over the initialiser of the constant `{}`", constant.name);
    Diagnostic::error("C0518", constant.name_span, message)
        .because("its value is computed here, and cannot be assigned later")
        .help(help)
}
