//! Declaration specifiers: basic types, structures, unions, enumerations, typedef names, `typeof`.
//!
//! Input: the specifiers of the tree.
//! Output: a type.
//! Postcondition: tags stand in the scope that C gives them, and a structure's fields are in its table once
//! its brace is closed.

use cppc_grammar::c::tree::{
    Attribute, AttributeKind, Basic, Enumeration as EnumTree, FieldDeclaration, Record as RecordTree,
    Specifiers, TypeSpecifier,
};

use super::binder::{Binder, Declared, Tag};
use super::ids::{EnumId, RecordId};
use super::symbols::{StorageKind, SymbolKind};
use super::types::{Enumeration, Extent, Field, Kind, Record, Type, DEPTH_LIMIT};

impl Binder<'_> {
    /// The type that specifiers name. `alone` says that no declarator follows: `struct s;` then
    /// declares its tag anew.
    pub(super) fn specified(&mut self, specifiers: &Specifiers, alone: bool) -> Type {
        let ty = match &specifiers.kind {
            TypeSpecifier::Implicit => Type::INT,
            TypeSpecifier::Inferred => Type::UNKNOWN,
            TypeSpecifier::Basic(Basic::Void) => Type::VOID,
            TypeSpecifier::Basic(basic) => Type::basic(*basic),
            TypeSpecifier::Record(record) => self.record(record, alone),
            TypeSpecifier::Enum(enumeration) => self.enumeration(enumeration),
            TypeSpecifier::Typedef(name) => match self.resolve(name.name) {
                Some(id) if self.symbol(id).kind == SymbolKind::Typedef => {
                    Type { alias: Some(id), ..self.symbol(id).ty.clone() }
                }
                _ => Type::UNKNOWN,
            },
            TypeSpecifier::TypeofExpr(operand) => {
                self.unevaluated += 1;
                let ty = self.expression(operand);
                self.unevaluated -= 1;
                ty
            }
            TypeSpecifier::TypeofType(name) => self.type_name(name),
            TypeSpecifier::Atomic(name) => {
                let mut ty = self.type_name(name);
                ty.qualifiers.atomic = true;
                ty
            }
            TypeSpecifier::VaList => Kind::VaList.into(),
        };
        let ty = self.with_mode(ty, &specifiers.attributes);
        self.vector_or(ty, &specifiers.attributes).qualified(specifiers.qualifiers)
    }

    /// `__attribute__((mode(DI)))` chooses another size.
    pub(super) fn with_mode(&self, ty: Type, attributes: &[Attribute]) -> Type {
        let mode = attributes.iter().rev().find_map(|attribute| match attribute.kind {
            AttributeKind::Mode(name) => Some(self.text(name).trim_matches('_')),
            _ => None,
        });
        let Some(mode) = mode else { return ty };
        let unsigned = matches!(ty.kind, Kind::Basic(basic) if super::operators::is_unsigned(basic));
        let pick = |signed, other| if unsigned { other } else { signed };
        let basic = match mode {
            "QI" | "byte" => pick(Basic::SignedChar, Basic::UnsignedChar),
            "HI" => pick(Basic::Short, Basic::UnsignedShort),
            "SI" => pick(Basic::Int, Basic::UnsignedInt),
            "DI" | "word" | "pointer" | "unwind_word" => pick(Basic::Long, Basic::UnsignedLong),
            "TI" => pick(Basic::Int128, Basic::UnsignedInt128),
            "SF" => Basic::Float,
            "DF" => Basic::Double,
            "XF" => Basic::LongDouble,
            "TF" => Basic::Float128,
            "SC" => Basic::ComplexFloat,
            "DC" => Basic::ComplexDouble,
            "XC" => Basic::ComplexLongDouble,
            "TC" => Basic::ComplexFloat128,
            _ => return Type::UNKNOWN,
        };
        Type { kind: Kind::Basic(basic), qualifiers: ty.qualifiers, alias: None }
    }

    pub(super) fn vector_or(&self, ty: Type, attributes: &[Attribute]) -> Type {
        let vector = attributes.iter().any(|attribute| attribute.kind == AttributeKind::VectorSize);
        if vector && ty.is_arithmetic() {
            return Kind::Vector { element: ty.into(), bytes: None }.into();
        }
        ty
    }

    fn record(&mut self, tree: &RecordTree, alone: bool) -> Type {
        let here = self.scope();
        let visible = tree.tag.and_then(|tag| self.tag(tag.name));
        let needs_own = tree.fields.is_some() || alone;
        let known = visible.and_then(|(scope, tag)| match tag {
            // A second definition is a fault of the program; it gets a record of its own.
            Tag::Record(id) => {
                let again = tree.fields.is_some()
                    && (self.tables.record(id).fields.is_some() || self.open_records.contains(&id));
                ((!needs_own || scope == here) && !again).then_some(id)
            }
            Tag::Enum(_) => None,
        });
        let id = known.unwrap_or_else(|| self.new_record(tree));
        if let Some(declarations) = &tree.fields {
            let packed = packed(&tree.attributes);
            self.open_records.push(id);
            let fields: Vec<Field> = declarations.iter().flat_map(|field| self.fields(field)).collect();
            self.open_records.pop();
            let aligned =
                self.has_attribute(&tree.attributes, "aligned") || fields.iter().any(|field| field.aligned);
            let record = &mut self.tables.records[id.0 as usize];
            record.packed = packed;
            record.aligned = aligned;
            record.fields = Some(fields);
            record.declared = tree.range;
            let extent = Extent::of(self.tables.record(id), &self.tables);
            self.tables.records[id.0 as usize].extent = extent;
        }
        Kind::Record(id).into()
    }

    fn new_record(&mut self, tree: &RecordTree) -> RecordId {
        let id = RecordId(self.tables.records.len() as u32);
        self.tables.records.push(Record {
            union: tree.union,
            tag: tree.tag.map(|tag| tag.name),
            typedef: None,
            fields: None,
            packed: false,
            aligned: false,
            extent: Extent::default(),
            declared: tree.range,
            scope: self.scope(),
        });
        if let Some(tag) = tree.tag {
            self.declare_tag(tag.name, Tag::Record(id));
        }
        id
    }

    fn fields(&mut self, declaration: &FieldDeclaration) -> Vec<Field> {
        let base = self.specified(&declaration.specifiers, false);
        let outer = &declaration.specifiers;
        let (outer_packed, outer_aligned) =
            (packed(&outer.attributes), outer.aligned || self.has_attribute(&outer.attributes, "aligned"));
        if declaration.declarators.is_empty() {
            let base = if self.is_incomplete(&base) { Type::UNKNOWN } else { base };
            return vec![Field {
                name: None,
                ty: base,
                bits: None,
                packed: outer_packed,
                aligned: outer_aligned,
            }];
        }
        let mut fields = Vec::with_capacity(declaration.declarators.len());
        for field in &declaration.declarators {
            let bits = field.bits.as_ref().map(|width| {
                self.expression(width);
                self.constant(width).and_then(|width| u64::try_from(width).ok())
            });
            let (name, ty, attributes) = match &field.declarator {
                Some(declarator) => {
                    let ty = self.derived(base.clone(), declarator);
                    let ty = self.with_mode(ty, &declarator.attributes);
                    (declarator.name.map(|name| name.name), ty, &declarator.attributes[..])
                }
                None => (None, base.clone(), &[][..]),
            };
            let aligned = outer_aligned || self.has_attribute(attributes, "aligned");
            let ty = if self.is_incomplete(&ty) { Type::UNKNOWN } else { ty };
            fields.push(Field { name, ty, bits, packed: outer_packed || packed(attributes), aligned });
        }
        fields
    }

    /// A structure that is not finished cannot be a field, least of all of itself. One that is nested too deeply
    /// is not looked at.
    fn is_incomplete(&self, ty: &Type) -> bool {
        match ty.leaf_element().kind {
            Kind::Record(id) => {
                let record = self.tables.record(id);
                record.fields.is_none() || record.extent.depth >= DEPTH_LIMIT
            }
            _ => false,
        }
    }

    fn enumeration(&mut self, tree: &EnumTree) -> Type {
        let here = self.scope();
        let visible = tree.tag.and_then(|tag| self.tag(tag.name));
        let known = visible.and_then(|(scope, tag)| match tag {
            Tag::Enum(id) if tree.enumerators.is_none() || scope == here => Some(id),
            _ => None,
        });
        let id = known.unwrap_or_else(|| self.new_enumeration(tree));
        if tree.enumerators.is_some() {
            let compatible = self.enumerators(tree);
            let enumeration = &mut self.tables.enums[id.0 as usize];
            enumeration.compatible = compatible;
            enumeration.complete = true;
        }
        Kind::Enum(id).into()
    }

    fn new_enumeration(&mut self, tree: &EnumTree) -> EnumId {
        let id = EnumId(self.tables.enums.len() as u32);
        self.tables.enums.push(Enumeration {
            tag: tree.tag.map(|tag| tag.name),
            typedef: None,
            compatible: Basic::UnsignedInt,
            complete: false,
            scope: self.scope(),
        });
        if let Some(tag) = tree.tag {
            self.declare_tag(tag.name, Tag::Enum(id));
        }
        id
    }

    /// Declares the constants; gives the type that gcc makes the enumeration compatible with.
    fn enumerators(&mut self, tree: &EnumTree) -> Basic {
        let (mut next, mut lowest, mut highest) = (Some(0i128), 0i128, 0i128);
        for enumerator in tree.enumerators.iter().flatten() {
            let mut visible = enumerator.name.token + 1;
            if let Some(value) = &enumerator.value {
                self.expression(value);
                next = self.constant(value);
                visible = value.range.end;
            }
            lowest = lowest.min(next.unwrap_or(0));
            highest = highest.max(next.unwrap_or(0));
            let ty = constant_type(next.unwrap_or(0));
            let name = enumerator.name;
            let declared =
                Declared::new(name.name, name.token, SymbolKind::EnumConstant, StorageKind::None, ty);
            self.declare(Declared { visible, value: next, ..declared });
            next = next.and_then(|value| value.checked_add(1));
        }
        let short = self.has_attribute(&tree.attributes, "packed");
        enumeration_type(lowest, highest, short)
    }
}

/// GNU's rule: a constant is an `int` when it fits, otherwise of the type that holds it.
fn constant_type(value: i128) -> Type {
    Type::basic(match value {
        -0x8000_0000..=0x7fff_ffff => Basic::Int,
        0x8000_0000..=0xffff_ffff => Basic::UnsignedInt,
        _ if value > i64::MAX as i128 => Basic::UnsignedLong,
        _ => Basic::Long,
    })
}

fn enumeration_type(lowest: i128, highest: i128, packed: bool) -> Basic {
    match (lowest < 0, packed) {
        (false, true) if highest <= 0xff => Basic::UnsignedChar,
        (false, true) if highest <= 0xffff => Basic::UnsignedShort,
        (true, true) if lowest >= -0x80 && highest <= 0x7f => Basic::SignedChar,
        (true, true) if lowest >= -0x8000 && highest <= 0x7fff => Basic::Short,
        (false, _) if highest <= 0xffff_ffff => Basic::UnsignedInt,
        (false, _) => Basic::UnsignedLong,
        (true, _) if lowest >= -0x8000_0000 && highest <= 0x7fff_ffff => Basic::Int,
        (true, _) => Basic::Long,
    }
}

fn packed(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.kind == AttributeKind::Packed)
}
