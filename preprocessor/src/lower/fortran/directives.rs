//! Directives at their positions, with the memory that they name.
//!
//! Input: the directives that the binder placed, and their text. Output: operations.
//! Postcondition: a register of an allocatable or a pointer is two items: the descriptor with its bounds, and the data.
//! A register of a structure has such items for its allocatable components. One of an array of structures, of an
//! allocatable structure, or of a pointer to a structure is deep.

use cppc_analysis::program::{Access, Dimension, Directive, Index, Item, OperationKind, Step};
use cppc_grammar::directive::fortran::{parse_fortran, FortranItem};
use cppc_grammar::directive::Kind;
use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::parse::parse_expression;
use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Expr, ExprKind};
use cppc_source::Span;

use super::body::Body;
use super::designated_memory::DesignatedMemory;
use crate::bind::fortran::{DirectiveKind, ScopeId, SymbolId, Type};

const DEPTH_LIMIT: u32 = 8;

/// What a list of items is for. In the lists of `register` and `unregister`, subscripts give the last element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Registered,
    Unregistered,
    Captured,
}

impl<'a> Body<'_, 'a> {
    pub fn directive(&mut self, scope: ScopeId, line: LineId) {
        let bound = self.bound;
        let Some(placed) = bound.directives.get(&(self.source, line)) else { return };
        let Some(text) = bound.line(self.source, line) else { return };
        let Ok(found) = parse_fortran(text, line, self.files) else { return };
        self.span = found.span;
        let mut implied = Vec::new();
        if let DirectiveKind::Register(items) = &placed.kind {
            // The translation registers the variables of computed subscripts by itself.
            for item in items.iter().filter(|item| item.implied) {
                if let Some(place) = self.place_of_symbol(item.root) {
                    implied.push(Item {
                        text: item.lvalue.clone(),
                        memory: place.whole(),
                        deep: false,
                        allocation: false,
                        keeps_pointer: false,
                        is_untyped: false,
                        span: item.span,
                    });
                }
            }
        }
        let directive = match found.kind {
            Kind::Init => Directive::Init,
            Kind::Shutdown => Directive::Shutdown,
            Kind::Checkpoint(_) => Directive::Checkpoint,
            Kind::Register(items) => {
                implied.extend(self.items(scope, &items, Role::Registered));
                Directive::Register(implied)
            }
            Kind::Unregister(items) => Directive::Unregister(self.items(scope, &items, Role::Unregistered)),
            Kind::Execute { on_restart, captures, files } => {
                let captures = self.items(scope, &captures, Role::Captured);
                let has_files = !files.is_empty();
                let handles: Vec<FortranItem> = files.into_iter().map(|file| file.handle).collect();
                Directive::BeginExecute {
                    captures,
                    files: self.items(scope, &handles, Role::Captured),
                    has_files,
                    on_restart,
                }
            }
            Kind::EndExecute => Directive::EndExecute,
            // They are not actions of the program.
            Kind::Auto(_) | Kind::CheckpointLoop { .. } | Kind::Allow(_) => return,
        };
        self.emit(OperationKind::Directive(Box::new(directive)));
    }

    fn items(&mut self, scope: ScopeId, written: &[FortranItem], role: Role) -> Vec<Item> {
        let mut list = Vec::new();
        for item in written {
            let span = self.anchor(item.at);
            let text = item.text.trim();
            if let Some(block) = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
                self.block_items(scope, text, block, span, &mut list);
                continue;
            }
            if let Some(module) = item.module() {
                self.module_items(scope, &module, role, span, &mut list);
                continue;
            }
            let Some(line) = self.bound.line(self.source, item.at.line) else { continue };
            let Ok(expr) = parse_expression(line, item.at.line, item.at.start..item.at.end) else { continue };
            self.item(scope, text, &expr, role, span, &mut list);
        }
        list
    }

    fn item(
        &mut self,
        scope: ScopeId,
        text: &str,
        expr: &Expr,
        role: Role,
        span: Span,
        list: &mut Vec<Item>,
    ) {
        if role != Role::Captured && has_section(expr) {
            return self.section(scope, text, expr, role, span, list);
        }
        if let (ExprKind::Reference { base, arguments }, true) = (&expr.kind, role != Role::Captured) {
            if let Some(place) = self.place(scope, base).filter(|place| !place.dimensions.is_empty()) {
                let last = arguments.last().and_then(|argument| match &argument.kind {
                    ArgumentKind::Value(value) => self.affine(scope, value),
                    _ => None,
                });
                let count = place.dimensions.len();
                let mut indices: Vec<Index> = vec![Index::All; count];
                let first = place.dimensions[count - 1].lower.clone();
                indices[count - 1] = match (first, last) {
                    (Some(first), Some(last)) => Index::Range { first, last, step: 1 },
                    _ => Index::Unknown,
                };
                // The columns before the last one are complete only if the subscripts are the upper bounds.
                for (position, argument) in arguments.iter().enumerate().take(count - 1) {
                    let given = match &argument.kind {
                        ArgumentKind::Value(value) => self.affine(scope, value),
                        _ => None,
                    };
                    if given.is_none() || given != place.dimensions[position].upper() {
                        indices.iter_mut().skip(position).for_each(|index| *index = Index::Unknown);
                    }
                }
                let memory = place.with(indices);
                let deep = role == Role::Registered && self.is_root(&place);
                return list.push(Item {
                    text: text.to_owned(),
                    memory,
                    deep,
                    allocation: false,
                    keeps_pointer: false,
                    is_untyped: false,
                    span,
                });
            }
        }
        if let Some(place) = self.place(scope, expr) {
            return self.expand(text, &place, span, 0, list);
        }
        let ExprKind::Name(name) = &expr.kind else { return };
        if let Some(id) = self.bound.lookup(scope, &name.text) {
            self.procedure_pointer(id, text, span, list);
        }
    }

    fn procedure_pointer(&mut self, id: SymbolId, text: &str, span: Span, list: &mut Vec<Item>) {
        if self.bound.symbol(id).is_procedure_pointer() {
            let variable = self.variable(id);
            let memory = self.flow.program.whole(variable);
            let (text, deep, allocation, keeps_pointer) = (text.to_owned(), false, false, false);
            list.push(Item { text, memory, deep, allocation, keeps_pointer, is_untyped: false, span });
        }
    }

    /// A component of each element of a section. The array itself is not saved, nor is its descriptor.
    fn section(
        &mut self,
        scope: ScopeId,
        text: &str,
        expr: &Expr,
        role: Role,
        span: Span,
        list: &mut Vec<Item>,
    ) {
        let is_unbounded = |argument: &Argument| {
            matches!(argument.kind, ArgumentKind::Range { lower: None, upper: None, stride: None })
        };
        if let ExprKind::Reference { base, arguments } = &expr.kind {
            // `a(:)` is the same item as `a`.
            if arguments.iter().all(is_unbounded) {
                if let Some(place) = self.place(scope, base) {
                    self.expand(text, &place, span, 0, list);
                }
                return;
            }
        }
        let Some(place) = self.place(scope, expr) else { return };
        let memory = place.whole();
        if role == Role::Registered && !is_known(&memory) {
            return;
        }
        let (deep, allocation, keeps_pointer, is_untyped) = (false, false, true, false);
        let text = text.to_owned();
        list.push(Item { text, memory, deep, allocation, keeps_pointer, is_untyped, span });
    }

    /// Adds a place and the memory that belongs to it.
    fn expand(
        &mut self,
        text: &str,
        place: &DesignatedMemory<'a>,
        span: Span,
        depth: u32,
        list: &mut Vec<Item>,
    ) {
        // Arrays and allocatables of derived types are saved with all of their allocatable components.
        let is_array = !place.dimensions.is_empty();
        let is_tree = matches!(place.ty, Type::Derived(_)) && (is_array || place.allocatable);
        let is_tree = is_tree || self.is_root(place);
        if let Some(holder) = &place.holder {
            list.push(Item {
                text: text.to_owned(),
                memory: holder.clone(),
                deep: is_tree,
                allocation: false,
                keeps_pointer: false,
                is_untyped: false,
                span,
            });
        }
        let whole = place.whole();
        list.push(Item {
            text: text.to_owned(),
            memory: whole.clone(),
            deep: is_tree,
            allocation: false,
            keeps_pointer: false,
            is_untyped: false,
            span,
        });
        let Type::Derived(id) = place.ty else { return };
        if depth > DEPTH_LIMIT || is_tree {
            return;
        }
        for field in self.fields(id).iter().filter(|field| !field.procedure) {
            let nested = matches!(field.ty, Type::Derived(inner) if !field.pointer && inner != id);
            if !field.allocatable && !field.pointer && !nested {
                continue;
            }
            let part = self.field(whole.clone(), field);
            if part.holder.is_some() || nested {
                let inner = format!("{text}%{}", field.name);
                self.expand(&inner, &part, span, depth + 1, list);
            }
        }
    }

    /// Whether a register of the place saves everything that its pointers reach.
    fn is_root(&self, place: &DesignatedMemory<'a>) -> bool {
        if let Type::Class(_) = place.ty {
            return true;
        }
        let Type::Derived(id) = place.ty else { return false };
        let is_pointer = place.holder.is_some() && !place.allocatable;
        self.bound.needs_graph(is_pointer, place.allocatable || !place.dimensions.is_empty(), id)
    }

    fn module_items(&mut self, scope: ScopeId, module: &str, role: Role, span: Span, list: &mut Vec<Item>) {
        for id in self.bound.variables_with_items(scope, module, role == Role::Registered) {
            if let Some(place) = self.place_of_symbol(id) {
                self.expand(&self.bound.symbol(id).name, &place, span, 0, list);
            } else {
                self.procedure_pointer(id, &self.bound.symbol(id).name, span, list);
            }
        }
    }

    fn block_items(&mut self, scope: ScopeId, text: &str, block: &str, span: Span, list: &mut Vec<Item>) {
        let block: String = block.chars().filter(|letter| !letter.is_whitespace()).collect();
        let block = block.to_ascii_lowercase();
        let mut next = Some(scope);
        while let Some(id) = next {
            let found = self.bound.scope(id);
            if let Some((_, members)) = found.blocks.iter().find(|(name, _)| *name == block) {
                for &member in members {
                    if let Some(place) = self.place_of_symbol(member) {
                        self.expand(text, &place, span, 0, list);
                    }
                }
                return;
            }
            next = found.parent;
        }
    }
}

/// Whether a designator contains a section of an array, or a substring.
fn has_section(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Component { base, .. } => has_section(base),
        ExprKind::Reference { base, arguments } => {
            let is_range = |argument: &Argument| matches!(argument.kind, ArgumentKind::Range { .. });
            arguments.iter().any(is_range) || has_section(base)
        }
        ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Parenthesized(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo { .. }
        | ExprKind::Other(_) => false,
    }
}

/// Whether it is known which elements of an array a section has: constant ones, or those from the first one. If not, the
/// analyses do not count any as saved.
fn is_known(memory: &Access) -> bool {
    let is_known = |dimension: &Dimension| match &dimension.index {
        Index::All | Index::At(_) => true,
        Index::Range { first, last, step: 1 } => {
            let is_constant = first.as_constant().is_some() && last.as_constant().is_some();
            is_constant || Some(first) == dimension.lower.as_ref()
        }
        Index::Range { .. } | Index::Unknown => false,
    };
    memory.path.iter().all(|step| match step {
        Step::Elements(dimensions) => dimensions.iter().all(is_known),
        Step::Field { .. } | Step::Dereference => true,
    })
}
