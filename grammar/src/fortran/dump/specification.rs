//! Declarations and other statements that are not executable.

use super::{dummies, names, Writer};
use crate::fortran::tree::{
    Attribute, BaseType, Bound, CharacterLength, CommonBlock, DerivedType, Entity, ImplicitRule, Interface,
    Statement, StatementKind, TypeSpec, Use,
};

impl Writer<'_> {
    pub(super) fn specification(&mut self, statement: &Statement) {
        let Statement { line, label, kind, .. } = statement;
        match kind {
            StatementKind::DerivedType(derived) => self.derived_type(statement, derived),
            StatementKind::Interface(interface) => self.interface(statement, interface),
            _ => {
                let what = self.declaration(kind);
                self.line(Some(*line), *label, &what);
            }
        }
    }

    fn declaration(&self, kind: &StatementKind) -> String {
        match kind {
            StatementKind::TypeDeclaration { spec, attributes, entities } => {
                let attributes = self.attributes(attributes);
                format!("declare {}{attributes} :: {}", self.type_spec(spec), self.entities(entities))
            }
            StatementKind::Implicit(None) => "implicit none".to_owned(),
            StatementKind::Implicit(Some(rules)) => format!("implicit {}", self.rules(rules)),
            StatementKind::Parameter(constants) => {
                let value = |(name, value): &(_, _)| self.constant(name, value);
                format!("parameter {}", constants.iter().map(value).collect::<Vec<_>>().join(", "))
            }
            StatementKind::Attributes { attribute, entities } => {
                format!(
                    "attribute{} :: {}",
                    self.attributes(std::slice::from_ref(attribute)),
                    self.entities(entities)
                )
            }
            StatementKind::Common(blocks) => {
                let blocks: Vec<String> = blocks.iter().map(|block| self.block(block)).collect();
                format!("common {}", blocks.join(" "))
            }
            StatementKind::Equivalence(lists) => {
                let lists: Vec<String> = lists.iter().map(|list| format!("({})", self.list(list))).collect();
                format!("equivalence {}", lists.join(", "))
            }
            StatementKind::Namelist(groups) => {
                let group = |(name, members): &(crate::fortran::tree::Name, Vec<_>)| {
                    format!("/{}/ {}", name.text, names(members))
                };
                format!("namelist {}", groups.iter().map(group).collect::<Vec<_>>().join(" "))
            }
            StatementKind::Data(variables) => format!("data {}", names(variables)),
            StatementKind::Use(used) => self.used(used),
            StatementKind::Enumeration { enumerators } => {
                let list = enumerators.iter().map(|(name, value)| match value {
                    Some(value) => self.constant(name, value),
                    None => name.text.clone(),
                });
                format!("enumeration {}", list.collect::<Vec<_>>().join(", "))
            }
            StatementKind::ProcedureDeclaration { interface, attributes, names: list, .. } => {
                let interface = interface.as_ref().map_or("", |name| name.text.as_str());
                format!("procedure({interface}){} :: {}", self.attributes(attributes), names(list))
            }
            StatementKind::Access { private, names: list } => {
                format!("{} {}", if *private { "private" } else { "public" }, names(list))
            }
            StatementKind::Entry { name, arguments, result } => {
                let result = result.as_ref().map_or(String::new(), |name| format!(" result({})", name.text));
                format!("entry {}({}){result}", name.text, dummies(arguments))
            }
            StatementKind::Import => "import".to_owned(),
            StatementKind::Format => "format".to_owned(),
            StatementKind::Directive => "directive".to_owned(),
            StatementKind::OtherSpecification => "other specification".to_owned(),
            _ => "not understood".to_owned(),
        }
    }

    fn constant(&self, name: &crate::fortran::tree::Name, value: &crate::fortran::tree::Expr) -> String {
        format!("{} = {}", name.text, self.expression(value))
    }

    pub(super) fn type_spec(&self, spec: &TypeSpec) -> String {
        let mut text = match &spec.base {
            BaseType::Integer => "integer".to_owned(),
            BaseType::Real => "real".to_owned(),
            BaseType::DoublePrecision => "double precision".to_owned(),
            BaseType::Complex => "complex".to_owned(),
            BaseType::DoubleComplex => "double complex".to_owned(),
            BaseType::Logical => "logical".to_owned(),
            BaseType::Character => "character".to_owned(),
            BaseType::Byte => "byte".to_owned(),
            BaseType::Type(name) => format!("type({})", name.text),
            BaseType::Class(Some(name)) => format!("class({})", name.text),
            BaseType::Class(None) => "class(*)".to_owned(),
            BaseType::Assumed => "type(*)".to_owned(),
        };
        if let Some(bytes) = &spec.length_bytes {
            text += &format!("*{}", self.expression(bytes));
        }
        if let Some(length) = &spec.character_length {
            text += &self.length(length);
        }
        if let Some(kind) = &spec.kind {
            text += &format!("(kind={})", self.expression(kind));
        }
        text
    }

    fn length(&self, length: &CharacterLength) -> String {
        match length {
            CharacterLength::Expression(length) => format!("*{}", self.expression(length)),
            CharacterLength::Assumed => "*(*)".to_owned(),
            CharacterLength::Deferred => "*(:)".to_owned(),
        }
    }

    fn attributes(&self, attributes: &[Attribute]) -> String {
        attributes.iter().map(|attribute| format!(", {}", self.attribute(attribute))).collect()
    }

    fn attribute(&self, attribute: &Attribute) -> String {
        let word = match attribute {
            Attribute::Parameter => "parameter",
            Attribute::Dimension(shape) => return format!("dimension({})", self.shape(shape)),
            Attribute::Allocatable => "allocatable",
            Attribute::Pointer => "pointer",
            Attribute::Target => "target",
            Attribute::Intent { reads: true, writes: true } => "intent(inout)",
            Attribute::Intent { reads: true, writes: false } => "intent(in)",
            Attribute::Intent { .. } => "intent(out)",
            Attribute::Optional => "optional",
            Attribute::Save => "save",
            Attribute::External => "external",
            Attribute::Intrinsic => "intrinsic",
            Attribute::Value => "value",
            Attribute::Volatile => "volatile",
            Attribute::Asynchronous => "asynchronous",
            Attribute::Contiguous => "contiguous",
            Attribute::Protected => "protected",
            Attribute::Public => "public",
            Attribute::Private => "private",
            Attribute::Bind => "bind",
            Attribute::Codimension => "codimension",
            Attribute::CrayPointer => "cray pointer",
            Attribute::Other => "other",
        };
        word.to_owned()
    }

    fn entities(&self, entities: &[Entity]) -> String {
        let list: Vec<String> = entities.iter().map(|entity| self.entity(entity)).collect();
        list.join(", ")
    }

    fn entity(&self, entity: &Entity) -> String {
        let mut text = entity.name.text.clone();
        if entity.is_block {
            text = format!("/{text}/");
        }
        if let Some(shape) = &entity.shape {
            text += &format!("({})", self.shape(shape));
        }
        if let Some(length) = &entity.length {
            text += &self.length(length);
        }
        if let Some(initial) = &entity.initial {
            text += &format!(" = {}", self.expression(initial));
        }
        text
    }

    fn shape(&self, shape: &[Bound]) -> String {
        let lower =
            |lower: &Option<_>| lower.as_ref().map_or(String::new(), |lower| self.expression(lower) + ":");
        let bound = |bound: &Bound| match bound {
            Bound::Explicit { lower: from, upper } => lower(from) + &self.expression(upper),
            Bound::AssumedSize { lower: from } => lower(from) + "*",
            Bound::AssumedShape { lower: Some(from) } => self.expression(from) + ":",
            Bound::AssumedShape { lower: None } => ":".to_owned(),
            Bound::AssumedRank => "..".to_owned(),
        };
        shape.iter().map(bound).collect::<Vec<_>>().join(", ")
    }

    fn rules(&self, rules: &[ImplicitRule]) -> String {
        let rule = |rule: &ImplicitRule| {
            let range = |&(first, last): &(u8, u8)| format!("{}-{}", first as char, last as char);
            let letters: Vec<String> = rule.letters.iter().map(range).collect();
            format!("{} ({})", self.type_spec(&rule.spec), letters.join(", "))
        };
        rules.iter().map(rule).collect::<Vec<_>>().join(", ")
    }

    fn block(&self, block: &CommonBlock) -> String {
        let name = block.name.as_ref().map_or("", |name| name.text.as_str());
        format!("/{name}/ {}", self.entities(&block.members))
    }

    fn used(&self, used: &Use) -> String {
        let rename = |rename: &crate::fortran::tree::Rename| {
            if rename.local.text == rename.theirs.text {
                return rename.local.text.clone();
            }
            format!("{} => {}", rename.local.text, rename.theirs.text)
        };
        let list = |list: &[_]| list.iter().map(rename).collect::<Vec<_>>().join(", ");
        let mut text = format!("use {}{}", if used.intrinsic { "intrinsic " } else { "" }, used.module.text);
        if let Some(only) = &used.only {
            text += &format!(" only: {}", list(only));
        }
        if !used.renames.is_empty() {
            text += &format!(" renaming {}", list(&used.renames));
        }
        text
    }

    fn derived_type(&mut self, statement: &Statement, derived: &DerivedType) {
        let mut what = format!("type {}", derived.name.text);
        if let Some(parent) = &derived.extends {
            what += &format!(" extends {}", parent.text);
        }
        for (said, word) in [
            (derived.is_abstract, " abstract"),
            (derived.is_parameterized, " parameterized"),
            (derived.is_sequence, " sequence"),
            (derived.bind, " bind(c)"),
        ] {
            what += if said { word } else { "" };
        }
        self.line(Some(statement.line), statement.label, &what);
        self.within(&derived.components);
        self.line(derived.end, None, if derived.end.is_some() { "end type" } else { "no end" });
    }

    fn interface(&mut self, statement: &Statement, interface: &Interface) {
        let mut what = if interface.is_abstract { "abstract interface" } else { "interface" }.to_owned();
        if let Some(name) = &interface.generic {
            what += &format!(" {}", name.text);
        }
        if !interface.procedures.is_empty() {
            what += &format!(" of {}", names(&interface.procedures));
        }
        self.line(Some(statement.line), statement.label, &what);
        self.deeper(|writer| interface.bodies.iter().for_each(|unit| writer.unit(unit)));
    }
}
