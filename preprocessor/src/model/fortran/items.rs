//! The items of Fortran directives in the model.

use std::sync::Arc;

use cppc_source::Span;

use super::{Builder, ProcedureContext};
use crate::bind::fortran::items::{
    Element, Item as BoundItem, NodeKind as BoundNodeKind, Record, Section, Tree as BoundTree, TypeName,
};
use crate::bind::fortran::{BoundDirective, DirectiveKind, ItemKind as BoundKind};
use crate::model::structured::{NodeKind, Tree, VariableProperties};
use crate::model::{
    self, Amount, Extents, FieldForm, FieldStructures, Fields, HandleKind, Item, ItemKind, OpenedFile,
    RecordField, RecordType, TypeCode, VariableId,
};

impl Builder<'_, '_> {
    pub(super) fn directive(&self, bound: &BoundDirective, context: &ProcedureContext) -> model::Directive {
        let list = |items: &[BoundItem]| items.iter().map(|item| self.item(item, context)).collect();
        let kind = match &bound.kind {
            DirectiveKind::Init => model::DirectiveKind::Init,
            DirectiveKind::Shutdown => model::DirectiveKind::Shutdown,
            DirectiveKind::Checkpoint(safety) => model::DirectiveKind::Checkpoint(safety.clone()),
            DirectiveKind::EndExecute => model::DirectiveKind::EndExecute,
            DirectiveKind::Register(items) => model::DirectiveKind::Register(list(items)),
            DirectiveKind::Unregister(items) => model::DirectiveKind::Unregister(list(items)),
            DirectiveKind::Execute { captures, files } => {
                let files = files.iter().map(|file| OpenedFile {
                    handle: file.unit.clone(),
                    kind: HandleKind::Unit,
                    name: file.name.clone(),
                });
                model::DirectiveKind::Execute { captures: list(captures), files: files.collect() }
            }
        };
        // From the sentinel on.
        let bytes = self.files.text(bound.span);
        let blanks = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32;
        let span = Span::new(bound.span.file, bound.span.start + blanks, bound.span.end);
        model::Directive { span, kind }
    }

    pub(super) fn item(&self, item: &BoundItem, context: &ProcedureContext) -> Item {
        let own = context.symbols.iter().position(|&symbol| symbol == item.root);
        let variable = own.filter(|_| item.is_name).map(VariableId);
        let cell = variable.is_some_and(|id| context.variables[id.0].saved_type.is_some());
        let follower = self.follower_of(item, context.source);
        Item { follower, ..self.item_of(item, variable, cell) }
    }

    fn may_be_shared(&self, id: crate::bind::fortran::SymbolId) -> bool {
        let is = self.bound.symbol(id).is;
        is.equivalenced || is.target
    }

    /// `cell`: whether the variable is saved in a cell of its frame.
    pub(super) fn item_of(&self, item: &BoundItem, variable: Option<VariableId>, cell: bool) -> Item {
        Item {
            span: item.span,
            lvalue: item.lvalue.clone(),
            name: item.name.clone(),
            variable,
            kind: match item.kind {
                BoundKind::Scalar => ItemKind::Memory,
                BoundKind::Array => ItemKind::Array,
                BoundKind::Followed { rank } => ItemKind::Followed { rank },
            },
            code: code(&item.element),
            count: item.count.clone(),
            shape: item
                .shape
                .as_ref()
                .map(|shape| Extents { rank: shape.rank, parts: vec![shape.text.clone()] }),
            // The memory of a cell belongs to its frame, even if the memory of the variable would remain.
            automatic: item.automatic || cell,
            root: None,
            access_path: Vec::new(),
            amount: Amount::Computed,
            through_pointer: item.through_pointer,
            derived: item.implied,
            follower: None,
            graph: None,
            tree: item.tree.as_ref().map(|tree| Arc::new(self.tree(tree))),
            reached: item.graph.clone(),
            fields: item.section.as_ref().map(fields),
            indexed: (!item.subscripts.is_empty())
                .then(|| model::Indexed { pieces: Vec::new(), subscripts: item.subscripts.clone() }),
            traits: VariableProperties {
                qualified: false,
                optional: item.optional,
                assumed_size: item.assumed_size,
                gaps: item.gaps,
                pointer: item.pointer,
                read_only: item.read_only,
                first_element: item.first_element.clone(),
                length: item.length.clone(),
                old_standard: self.keeps_to_old_standard(item),
                unregistered: false,
                holders: item.holders.clone(),
                shares_memory: self.may_be_shared(item.root),
                selector: None,
                thread_local: false,
                dummy: self.bound.symbol(item.root).is.dummy,
                deferred: None,
            },
        }
    }
}

impl Builder<'_, '_> {
    fn keeps_to_old_standard(&self, item: &BoundItem) -> bool {
        let scope = self.bound.scope(self.bound.symbol(item.root).scope);
        self.bound.sources[scope.source].options.is_before_fortran_2018()
    }

    fn tree(&self, tree: &BoundTree) -> Tree {
        Tree {
            is_inside: tree.is_inside,
            level: tree.level,
            rank: tree.rank,
            type_id: tree.type_id,
            parts: tree.parts.iter().map(|part| self.item_of(part, None, false)).collect(),
            later: tree.later,
            nodes: tree.nodes.iter().map(|kind| self.node_kind(kind)).collect(),
        }
    }

    fn node_kind(&self, kind: &BoundNodeKind) -> NodeKind {
        let TypeName { name, module } = kind.type_name.clone();
        NodeKind { item: self.item_of(&kind.item, None, false), type_name: name, module }
    }
}

fn fields(section: &Section) -> Fields {
    Fields::Structures(FieldStructures {
        first: section.first.clone(),
        second: section.second.clone(),
        code: TypeCode::Named(section.code),
        structures: section.structures.clone(),
    })
}

fn code(element: &Element) -> TypeCode {
    match element {
        Element::Code(code) => TypeCode::Named(code),
        Element::Record(record) => TypeCode::Record(Arc::new(described(record))),
    }
}

fn described(record: &Record) -> RecordType {
    let fields = record.fields.iter().map(|field| RecordField {
        path: field.path.clone(),
        condition: None,
        code: TypeCode::Named(field.code),
        count: field.count,
        form: FieldForm::Whole,
    });
    RecordType {
        word: record.name.clone(),
        spelling: format!("type({})", record.name),
        variant: String::new(),
        fields: fields.collect(),
        inner: true,
    }
}
