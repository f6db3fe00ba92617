//! The items of C directives in the model.

use cppc_grammar::c::tree::{Expr, ExprKind, UnaryOperator};

use super::types::Variants;
use super::{Builder, ProcedureContext};
use crate::bind::c::{
    BoundDirective, Capture, DirectiveKind, ItemForm, Lower, Section, StorageKind, SymbolId,
};
use crate::model::structured::{MemberSelector, VariableProperties};
use crate::model::{self, Amount, Extents, HandleKind, Item, ItemKind, TypeCode, VariableId};

impl Builder<'_> {
    /// A directive with its items. Items that could not be resolved have been reported.
    pub(super) fn directive(&self, bound: &BoundDirective, context: &ProcedureContext) -> model::Directive {
        let kind = match &bound.kind {
            DirectiveKind::Init => model::DirectiveKind::Init,
            DirectiveKind::Shutdown => model::DirectiveKind::Shutdown,
            DirectiveKind::Checkpoint(safety) => model::DirectiveKind::Checkpoint(safety.clone()),
            DirectiveKind::EndExecute { .. } => model::DirectiveKind::EndExecute,
            DirectiveKind::Register(items) => {
                model::DirectiveKind::Register(self.register_items(items, context))
            }
            DirectiveKind::Unregister(items) => {
                let items = items.iter().filter_map(|item| self.capture(item, context)).collect();
                model::DirectiveKind::Unregister(items)
            }
            DirectiveKind::Execute { captures, files, .. } => {
                let captures = captures.iter().filter_map(|item| self.capture(item, context)).collect();
                let files = files.iter().map(|file| model::OpenedFile {
                    handle: file.handle.clone(),
                    kind: if file.is_stream { HandleKind::Stream } else { HandleKind::Descriptor },
                    name: file.name.clone(),
                });
                model::DirectiveKind::Execute { captures, files: files.collect() }
            }
        };
        model::Directive { span: bound.span, kind }
    }

    /// The items of a register directive, each after the variables from which its size is computed.
    fn register_items(&self, items: &[crate::bind::c::Item], context: &ProcedureContext) -> Vec<Item> {
        let named: Vec<&str> = items.iter().map(|item| item.key.as_str()).collect();
        let mut list: Vec<Item> = Vec::new();
        for item in items {
            for size in item.size_variables.iter().filter(|size| !size.constant) {
                let known = named.contains(&size.key.as_str()) || list.iter().any(|i| i.name == size.key);
                let code = self.bound.element(&size.ty).and_then(|element| self.types.code(element));
                if let (false, Some(code)) = (known, code) {
                    let root = Root { symbol: size.root, is_name: size.is_name, storage: size.storage };
                    list.push(self.item(
                        context,
                        root,
                        ItemText {
                            span: item.span,
                            lvalue: size.text.clone(),
                            name: size.key.clone(),
                            kind: ItemKind::Memory,
                            code,
                            count: "1".to_owned(),
                            amount: Amount::Constant,
                            extents: Vec::new(),
                            qualified: false,
                            through_pointer: size.through_pointer,
                            access_path: size.way.clone(),
                            derived: true,
                            indexed: size.indexed.clone(),
                            graph: None,
                            fields: None,
                        },
                    ));
                }
            }
            let graph = item.graph.as_ref().and_then(|graph| self.types.graph(graph, &item.selections));
            let code = match &graph {
                Some(graph) => Some(graph.0.clone()),
                None => {
                    let variants = Variants::of(&item.selections);
                    item.element_code.and_then(|element| self.types.code_in(element, &variants))
                }
            };
            let Some(code) = code else { continue };
            let text = ItemText {
                span: item.span,
                lvalue: item.lvalue_text.clone(),
                name: item.key.clone(),
                kind: kind(item.slot, item.ty.is_array()),
                code,
                count: item.count_text.clone(),
                amount: item.amount,
                extents: item.extents.clone(),
                qualified: item.ty.leaf_element().qualifiers != Default::default(),
                through_pointer: item.through_pointer,
                access_path: item.way.clone(),
                derived: false,
                indexed: item.indexed.clone(),
                graph: graph.map(|graph| graph.1),
                fields: item.section.as_ref().and_then(|section| self.fields(section)),
            };
            let root = Root { symbol: item.root, is_name: item.is_name, storage: item.storage };
            let selector = item.selections.variable.as_ref().and_then(|variable| {
                let code = cppc_abi::types::by_code(variable.code)?.name;
                let (place, is_qualified) = (variable.text.clone(), variable.is_qualified);
                Some(MemberSelector { place, code, is_qualified })
            });
            let made = match self.dereferenced(item) {
                Some(pointer) => {
                    let root = Root { is_name: true, ..root };
                    let kind = ItemKind::Target;
                    self.item(
                        context,
                        root,
                        ItemText {
                            lvalue: pointer,
                            kind,
                            through_pointer: false,
                            access_path: Vec::new(),
                            ..text
                        },
                    )
                }
                None => self.item(context, root, text),
            };
            list.push(Item { traits: VariableProperties { selector, ..made.traits }, ..made });
        }
        // A pointer is restored immediately if its target is already in memory. Therefore items that are
        // reached through pointers come last.
        list.sort_by_key(|item| item.kind == ItemKind::Target || item.through_pointer);
        list
    }

    /// For `*p`, where `p` is a variable: the pointer. Its target is registered at its address at that time.
    fn dereferenced(&self, item: &crate::bind::c::Item) -> Option<String> {
        let ExprKind::Unary { operator: UnaryOperator::Dereference, operand } =
            &without_parens(&item.lvalue).kind
        else {
            return None;
        };
        let ExprKind::Ident(name) = &without_parens(operand).kind else { return None };
        let pointer = self.bound.symbol(item.root).ty.is_pointer() && item.slot != ItemForm::Pointer;
        pointer.then(|| self.preprocessed.names.text(name.name).to_owned())
    }

    /// The position of the field of a section.
    fn fields(&self, section: &Section) -> Option<model::Fields> {
        let field = match section.path.is_empty() {
            true => "0".to_owned(),
            false => format!("offsetof({}, {})", self.types.spelling(&section.structure)?, section.path_text),
        };
        let (stride, row) = (section.stride_text.clone(), section.row_text.clone());
        let (lower, offset) = match &section.lower {
            Lower::Constant(0) => (None, field),
            Lower::Constant(lower) => (None, format!("{lower} * {row} + {field}")),
            Lower::Computed(text) => (Some(text.clone()), field),
        };
        let elements = section.elements_text.clone();
        Some(model::Fields::Layout(model::FieldLayout { lower, offset, row, stride, elements }))
    }

    fn capture(&self, item: &Capture, context: &ProcedureContext) -> Option<Item> {
        let code = if item.ty.is_pointer() {
            TypeCode::Named("CPPC_POINTER")
        } else {
            self.types.code(item.element_code?)?
        };
        let kind = if item.ty.is_array() { ItemKind::Array } else { ItemKind::Memory };
        let root = Root { symbol: item.root, is_name: item.is_name, storage: item.storage };
        Some(self.item(
            context,
            root,
            ItemText {
                span: item.span,
                lvalue: item.text.clone(),
                name: item.key.clone(),
                kind,
                code,
                count: item.count_text.clone(),
                amount: Amount::Computed,
                extents: Vec::new(),
                qualified: false,
                through_pointer: item.through_pointer || !matches!(item.lvalue.kind, ExprKind::Ident(_)),
                access_path: Vec::new(),
                derived: false,
                indexed: item.indexed.clone(),
                graph: None,
                fields: item.section.as_ref().and_then(|section| self.fields(section)),
            },
        ))
    }

    pub(super) fn item(&self, context: &ProcedureContext, root: Root, text: ItemText) -> Item {
        let automatic = matches!(root.storage, StorageKind::Automatic | StorageKind::Register);
        let variable = root.is_name.then(|| context.symbols.iter().position(|&s| s == root.symbol));
        Item {
            span: text.span,
            lvalue: text.lvalue,
            name: text.indexed.as_ref().map_or(text.name, |indexed| indexed.key.clone()),
            variable: variable.flatten().map(VariableId),
            kind: text.kind,
            code: text.code,
            count: text.count,
            amount: text.amount,
            shape: (!text.extents.is_empty())
                .then_some(Extents { rank: text.extents.len() as u32, parts: text.extents }),
            automatic: automatic && !text.through_pointer,
            root: context
                .symbols
                .iter()
                .position(|&own| own == root.symbol)
                .filter(|_| automatic && (text.through_pointer || !root.is_name))
                .map(VariableId),
            through_pointer: text.through_pointer,
            access_path: text.access_path.iter().map(|point| self.path_pointer(context, point)).collect(),
            derived: text.derived,
            follower: None,
            graph: text.graph,
            fields: text.fields,
            indexed: text
                .indexed
                .map(|found| model::Indexed { pieces: found.pieces, subscripts: found.subscripts }),
            tree: None,
            reached: None,
            traits: VariableProperties {
                qualified: text.qualified,
                shares_memory: root.is_name && self.may_be_shared(root.symbol, context),
                thread_local: self.bound.symbol(root.symbol).thread_local,
                ..VariableProperties::default()
            },
        }
    }
}

impl Builder<'_> {
    /// Whether something may have the address of a variable: `&x`, or an array without all of its subscripts.
    fn may_be_shared(&self, id: SymbolId, context: &ProcedureContext) -> bool {
        let symbol = self.bound.symbol(id);
        let is_automatic = matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register);
        // Only static variables of procedures are asked about.
        if is_automatic || symbol.procedure.is_none() {
            return false;
        }
        let mut rank = 0;
        let mut ty = &symbol.ty;
        while let (true, Some(element)) = (ty.is_array(), ty.target()) {
            (rank, ty) = (rank + 1, element);
        }
        let tokens = &self.preprocessed.tokens;
        let text = |at: usize| tokens.get(at).map_or("", |token| self.preprocessed.names.text(token.text));
        let has_subscripts = |at: usize| {
            let (mut at, mut found) = (at + 1, 0);
            while text(at) == "[" {
                let mut depth = 0;
                while at < tokens.len() {
                    depth += i32::from(text(at) == "[") - i32::from(text(at) == "]");
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
                found += 1;
            }
            found >= rank
        };
        let is_named = |at: &usize| tokens[*at].text == symbol.name;
        context.procedure.facts.address_taken.contains(&id)
            || (0..tokens.len()).filter(is_named).any(|at| !has_subscripts(at))
    }

    fn path_pointer(
        &self,
        context: &ProcedureContext,
        point: &crate::bind::c::AccessPathPointer,
    ) -> model::PathPointer {
        let automatic = |symbol: SymbolId| {
            matches!(self.bound.symbol(symbol).storage, StorageKind::Automatic | StorageKind::Register)
        };
        model::PathPointer {
            text: point.text.clone(),
            is_name: point.variable.is_some(),
            variable: point
                .variable
                .and_then(|symbol| context.symbols.iter().position(|&own| own == symbol))
                .map(VariableId),
            automatic: point.variable.is_some_and(automatic),
        }
    }
}

fn without_parens(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => without_parens(inner),
        _ => expr,
    }
}

pub(super) struct Root {
    pub symbol: SymbolId,
    pub is_name: bool,
    pub storage: StorageKind,
}

pub(super) struct ItemText {
    pub span: cppc_source::Span,
    pub lvalue: String,
    pub name: String,
    pub kind: ItemKind,
    pub code: TypeCode,
    pub count: String,
    pub amount: Amount,
    pub extents: Vec<String>,
    pub qualified: bool,
    pub through_pointer: bool,
    pub access_path: Vec<crate::bind::c::AccessPathPointer>,
    pub derived: bool,
    pub indexed: Option<crate::bind::c::Indexed>,
    pub graph: Option<std::sync::Arc<model::Graph>>,
    pub fields: Option<model::Fields>,
}

fn kind(slot: ItemForm, array: bool) -> ItemKind {
    match slot {
        ItemForm::Pointer => ItemKind::Target,
        ItemForm::Aggregate if array => ItemKind::Array,
        ItemForm::Scalar | ItemForm::Aggregate => ItemKind::Memory,
    }
}
