//! Derived types of Fortran with pointer and allocatable components, as structures.
//!
//! Input: the components of each type, in the order of their declaration, and the compiler.
//! Output: the layouts of the structures, and what their pointers point to.
//! Postcondition: the size of each structure is that of the type in the program, if the program has passed it.
//!
//! gfortran lays a derived type out like a structure of C: the type that it extends comes first, then its components in
//! their order, each aligned. A pointer or allocatable scalar is an address. For an array it is a descriptor, see
//! `libgfortran.h` of GCC 8 and later. A polymorphic one is a structure of the address or descriptor, the address of a type
//! table, and for `class(*)` the length of a character value.

use super::objects::Objects;
use super::type_tables::{Passed, TableKey};
use super::types::{GraphTypeError, GraphTypes};
use crate::manifest::{Field, StructType};
use crate::register::segments::Segments;
use crate::register::Layouts;
use cppc_abi::types::{self as codes, Class, POINTER};
use thiserror::Error;

/// What a pointer or an allocatable component means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointed {
    /// Elements of a type that has a code; 0 is a procedure.
    Code(i32),
    /// Elements of a derived type, by its number.
    Derived(usize),
    /// Elements of a dynamic type that extends this one. 0 is any type.
    Class(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// So many elements of a type that has a code.
    Plain { code: i32, count: usize },
    /// So many elements of a derived type.
    Inside { number: usize, count: usize },
    /// `rank` is 0 for a scalar.
    Pointer { pointed: Pointed, rank: usize },
}

#[derive(Debug, Clone)]
struct Part {
    name: String,
    kind: PartKind,
}

#[derive(Debug, Clone, Default)]
struct DerivedType {
    name: String,
    /// 0 if the program does not know it.
    size_bytes: usize,
    parts: Vec<Part>,
}

/// The types of one register directive. They are numbered from 1.
#[derive(Debug, Default)]
pub struct DerivedTypes {
    compiler: String,
    list: Vec<DerivedType>,
    /// The addresses of type tables.
    tables: Vec<(Pointed, usize)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DerivedTypeError {
    #[error("it contains pointers to derived types, and how the compiler `{0}` represents pointers is not known: compile the program with gfortran 8 or later")]
    Compiler(String),
    #[error("the type {0} was not described")]
    Number(usize),
    #[error("the type `{name}` has {found} bytes, but its components need {expected}: an option of the compiler changes their layout")]
    Size { name: String, found: usize, expected: usize },
    #[error("the types are nested too deeply")]
    Nested,
    #[error("the table of its dynamic type cannot be read")]
    Table,
    #[error("its dynamic type is not known here: register it where this type is visible")]
    Dynamic,
    #[error("{0}")]
    Layout(String),
    #[error("{0}")]
    Graph(#[from] GraphTypeError),
}

/// The first version of gfortran whose descriptors have the present form.
const FIRST_GFORTRAN: u32 = 8;
/// An array has at most this many dimensions.
const MOST_DIMENSIONS: usize = 15;
/// Types contain each other no deeper than this.
const DEEPEST: usize = 64;
/// A procedure of libraries for coarrays.
const COARRAYS: &str = "_gfortran_caf_register";
/// The field of a descriptor that is the address of the first element.
pub const BASE: &str = "base";
/// The field of a polymorphic variable that is the address of its value, or the descriptor of its array.
pub const DATA: &str = "_data";
/// The field of a polymorphic variable that is the address of a type table.
const TABLE: &str = "_vptr";

impl DerivedTypes {
    /// Begins the description of types. `compiler` is the result of COMPILER_VERSION.
    pub fn of_compiler(compiler: &str) -> DerivedTypes {
        DerivedTypes { compiler: compiler.trim().to_owned(), list: Vec::new(), tables: Vec::new() }
    }

    /// Begins the description of the next type, with its size or 0.
    pub fn begin(&mut self, name: &str, size_bytes: usize) {
        self.list.push(DerivedType { name: name.to_owned(), size_bytes, parts: Vec::new() });
    }

    /// Adds a component to the type that was begun last.
    pub fn add(&mut self, name: &str, kind: PartKind) {
        if let Some(last) = self.list.last_mut() {
            last.parts.push(Part { name: name.to_owned(), kind });
        }
    }

    /// Adds the address of a table of a type.
    pub fn add_table(&mut self, pointed: Pointed, address: usize) {
        self.tables.push((pointed, address));
    }

    /// Defines all types and their pointers. Returns their codes.
    pub fn define(
        &self,
        layouts: &mut Layouts,
        types: &mut GraphTypes,
    ) -> Result<DefinedTypes, DerivedTypeError> {
        if !is_known(&self.compiler) {
            return Err(DerivedTypeError::Compiler(self.compiler.clone()));
        }
        match self.define_as(Tokens::None, (layouts, types)) {
            // With a library for coarrays, the words are handles of that library, and a restart could not set them.
            Err(error @ DerivedTypeError::Size { .. }) if Objects::now().address(COARRAYS).is_none() => {
                self.define_as(Tokens::OfScalars, (layouts, types)).map_err(|_| error)
            }
            outcome => outcome,
        }
    }

    fn define_as(
        &self,
        tokens: Tokens,
        (layouts, types): (&mut Layouts, &mut GraphTypes),
    ) -> Result<DefinedTypes, DerivedTypeError> {
        let (codes, descriptors) = (vec![None; self.list.len()], Vec::new());
        let mut defined = DefinedTypes { codes, descriptors, empty: Vec::new(), tokens };
        for index in 0..self.list.len() {
            self.define_one(index, 0, &mut defined, (layouts, types))?;
        }
        for (index, found) in self.list.iter().enumerate() {
            for part in &found.parts {
                let PartKind::Pointer { pointed, rank } = part.kind else { continue };
                let owner = defined.code(index + 1)?;
                match (pointed, rank) {
                    (Pointed::Code(_) | Pointed::Derived(_), 0) => {
                        types.declare(layouts, owner, &part.name, defined.target(pointed)?)?;
                    }
                    _ => drop(self.variable_of(pointed, rank, &mut defined, (layouts, types))?),
                }
            }
        }
        let segments = if self.tables.is_empty() { Segments::default() } else { Segments::now(0, 0) };
        for &(pointed, address) in &self.tables {
            let code = defined.target(pointed)?;
            let key = TableKey::at(address, &segments).ok_or(DerivedTypeError::Table)?;
            let (name, bytes) = (layouts.name(code), layouts.element_bytes(code).map_err(layout)?);
            let expected = if defined.empty.contains(&code) { 0 } else { bytes };
            if key.element_bytes != expected {
                return Err(DerivedTypeError::Size { name, found: key.element_bytes, expected });
            }
            types.tables_mut().add(address, key, code, name);
        }
        Ok(defined)
    }

    /// The code of a variable that is a pointer or an allocatable: of a descriptor, or of a polymorphic variable.
    pub fn variable_of(
        &self,
        pointed: Pointed,
        rank: usize,
        defined: &mut DefinedTypes,
        (layouts, types): (&mut Layouts, &mut GraphTypes),
    ) -> Result<i32, DerivedTypeError> {
        if let Pointed::Class(_) = pointed {
            let code = self.polymorphic(pointed, rank, defined, (layouts, types))?;
            let structure = layouts.structure(code).cloned().ok_or(DerivedTypeError::Table)?;
            let table = structure.fields.iter().find(|field| field.name == TABLE);
            let distance = table.map_or(0, |table| table.offset_bytes as usize);
            types.declare_table(layouts, code, TABLE)?;
            match rank {
                0 => types.declare_dynamic(layouts, code, DATA, distance)?,
                _ => {
                    let descriptor = self.descriptor(pointed, rank, defined, (layouts, types))?;
                    types.declare_dynamic(layouts, descriptor, BASE, distance)?;
                }
            }
            return Ok(code);
        }
        let code = self.descriptor(pointed, rank, defined, (layouts, types))?;
        types.declare(layouts, code, BASE, defined.target(pointed)?)?;
        Ok(code)
    }

    /// The codes of the types whose tables were passed.
    pub fn with_tables(&self, defined: &DefinedTypes) -> Vec<i32> {
        self.tables.iter().filter_map(|(pointed, _)| defined.target(*pointed).ok()).collect()
    }

    /// The code of the dynamic type of an argument.
    pub fn dynamic_type(passed: Passed, types: &GraphTypes) -> Result<i32, DerivedTypeError> {
        let found = types.tables().find(passed.table, &Segments::now(0, 0));
        found.map(|(code, _)| code).ok_or(DerivedTypeError::Dynamic)
    }

    fn define_one(
        &self,
        index: usize,
        depth: usize,
        defined: &mut DefinedTypes,
        (layouts, types): (&mut Layouts, &mut GraphTypes),
    ) -> Result<i32, DerivedTypeError> {
        let found = self.list.get(index).ok_or(DerivedTypeError::Number(index + 1))?;
        if let Some(code) = defined.codes[index] {
            return Ok(code);
        }
        if depth > DEEPEST {
            return Err(DerivedTypeError::Nested);
        }
        let (mut fields, mut end, mut widest) = (Vec::new(), 0, 1);
        for part in &found.parts {
            let (type_code, count) = match part.kind {
                PartKind::Plain { code, count } => (code, count),
                PartKind::Inside { number, count } => {
                    let inner = number.checked_sub(1).ok_or(DerivedTypeError::Number(number))?;
                    let code = self.define_one(inner, depth + 1, defined, (layouts, types))?;
                    (code, if defined.empty.contains(&code) { 0 } else { count })
                }
                PartKind::Pointer { pointed: pointed @ Pointed::Class(_), rank } => {
                    (self.polymorphic(pointed, rank, defined, (layouts, types))?, 1)
                }
                PartKind::Pointer { rank: 0, .. } => (POINTER, 1),
                PartKind::Pointer { pointed, rank } => {
                    (self.descriptor(pointed, rank, defined, (layouts, types))?, 1)
                }
            };
            let element_bytes = layouts.element_bytes(type_code).map_err(layout)?;
            let alignment = alignment(layouts, type_code);
            let start = usize::next_multiple_of(end, alignment);
            widest = widest.max(alignment);
            let size_bytes = element_bytes.checked_mul(count).ok_or(DerivedTypeError::Nested)?;
            end = start.checked_add(size_bytes).ok_or(DerivedTypeError::Nested)?;
            if count > 0 {
                fields.push(field(&part.name, start, type_code, count));
            }
        }
        for part in found.parts.iter().filter(|part| defined.tokens == Tokens::OfScalars && has_token(part)) {
            let start = usize::next_multiple_of(end, size_of::<usize>());
            widest = widest.max(size_of::<usize>());
            end = start + size_of::<usize>();
            let token = token((layouts, types))?;
            fields.push(field(&format!("_caf_{}", part.name), start, token, 1));
        }
        let expected = end.next_multiple_of(widest);
        let name = found.name.clone();
        if found.size_bytes != 0 && found.size_bytes != expected {
            return Err(DerivedTypeError::Size { name, found: found.size_bytes, expected });
        }
        // A value without components has an address of its own.
        let is_empty = fields.is_empty();
        if is_empty {
            fields.push(field("_empty", 0, codes::SIGNED_CHAR, 1));
        }
        let size_bytes = if is_empty { 1 } else { expected as u64 };
        let structure = StructType { name, size_bytes, fields };
        let code = layouts.define(structure).map_err(layout)?;
        types.declare_derived(code);
        defined.codes[index] = Some(code);
        if is_empty {
            defined.empty.push(code);
        }
        Ok(code)
    }

    /// A polymorphic pointer or allocatable.
    fn polymorphic(
        &self,
        pointed: Pointed,
        rank: usize,
        defined: &mut DefinedTypes,
        (layouts, types): (&mut Layouts, &mut GraphTypes),
    ) -> Result<i32, DerivedTypeError> {
        let data = match rank {
            0 => POINTER,
            _ => self.descriptor(pointed, rank, defined, (layouts, types))?,
        };
        let words: &[_] = match pointed {
            Pointed::Class(0) => &[(DATA, data, 1), (TABLE, POINTER, 1), ("_len", codes::LONG, 1)],
            _ => &[(DATA, data, 1), (TABLE, POINTER, 1)],
        };
        let shape = if rank == 0 { String::new() } else { format!(" ({})", vec![":"; rank].join(",")) };
        let code = define_words(format!("{}{shape}", self.name(pointed, layouts)?), words, layouts)?;
        types.declare_derived(code);
        // The length of a character value, if there is no such value.
        types.declare_undefined(code);
        Ok(code)
    }

    fn name(&self, pointed: Pointed, layouts: &Layouts) -> Result<String, DerivedTypeError> {
        let derived = |number: usize| {
            let found = number.checked_sub(1).and_then(|index| self.list.get(index));
            found.map(|found| found.name.clone()).ok_or(DerivedTypeError::Number(number))
        };
        match pointed {
            Pointed::Code(code) => Ok(layouts.name(code)),
            Pointed::Derived(number) => derived(number),
            Pointed::Class(0) => Ok("class(*)".to_owned()),
            Pointed::Class(number) => Ok(format!("class({})", derived(number)?)),
        }
    }

    /// The descriptor of an array of gfortran.
    fn descriptor(
        &self,
        pointed: Pointed,
        rank: usize,
        defined: &mut DefinedTypes,
        (layouts, types): (&mut Layouts, &mut GraphTypes),
    ) -> Result<i32, DerivedTypeError> {
        let known = defined.descriptors.iter().find(|known| (known.0, known.1) == (pointed, rank));
        if let Some((_, _, code)) = known {
            return Ok(*code);
        }
        if !(1..=MOST_DIMENSIONS).contains(&rank) {
            return Err(DerivedTypeError::Layout(format!("an array has {rank} dimensions")));
        }
        let target = self.name(pointed, layouts)?;
        let words = [
            (BASE, POINTER, 1),
            ("offset", codes::LONG, 1),
            ("element_bytes", codes::LONG, 1),
            ("version", codes::INT, 1),
            ("rank", codes::SIGNED_CHAR, 1),
            ("type", codes::SIGNED_CHAR, 1),
            ("attribute", codes::SHORT, 1),
            ("span", codes::LONG, 1),
            // For each dimension the stride, the lower and the upper bound.
            ("dimensions", codes::LONG, 3 * rank),
        ];
        let name = format!("array of {target} ({})", vec![":"; rank].join(","));
        let code = define_words(name, &words, layouts)?;
        types.declare_descriptor(code);
        defined.descriptors.push((pointed, rank, code));
        Ok(code)
    }
}

/// The codes of types that were defined.
#[derive(Debug)]
pub struct DefinedTypes {
    codes: Vec<Option<i32>>,
    descriptors: Vec<(Pointed, usize, i32)>,
    /// The types without components.
    empty: Vec<i32>,
    tokens: Tokens,
}

/// Words that gfortran adds for coarrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tokens {
    None,
    /// With `-fcoarray=single` and `-fcoarray=lib`, after all other components: one for each scalar that is a pointer or an
    /// allocatable, and not polymorphic.
    OfScalars,
}

impl DefinedTypes {
    /// The code of a type, by its number.
    pub fn code(&self, number: usize) -> Result<i32, DerivedTypeError> {
        let known = number.checked_sub(1).and_then(|index| self.codes.get(index).copied().flatten());
        known.ok_or(DerivedTypeError::Number(number))
    }

    fn target(&self, pointed: Pointed) -> Result<i32, DerivedTypeError> {
        match pointed {
            Pointed::Code(code) => Ok(code),
            Pointed::Derived(number) => self.code(number),
            Pointed::Class(_) => Err(DerivedTypeError::Dynamic),
        }
    }
}

/// A word that has no value with `-fcoarray=single`.
fn token((layouts, types): (&mut Layouts, &mut GraphTypes)) -> Result<i32, DerivedTypeError> {
    let code = define_words("token of a coarray".to_owned(), &[("value", codes::LONG, 1)], layouts)?;
    types.declare_undefined(code);
    Ok(code)
}

/// Defines a structure whose fields, each with its type and count, are one after the other without gaps.
fn define_words(
    name: String,
    words: &[(&str, i32, usize)],
    layouts: &mut Layouts,
) -> Result<i32, DerivedTypeError> {
    let (mut end, mut fields) = (0, Vec::new());
    for &(name, code, count) in words {
        fields.push(field(name, end, code, count));
        end += count * layouts.element_bytes(code).map_err(layout)?;
    }
    layouts.define(StructType { name, size_bytes: end as u64, fields }).map_err(layout)
}

fn has_token(part: &Part) -> bool {
    match part.kind {
        PartKind::Pointer { pointed: Pointed::Code(code), rank: 0 } => code != codes::FUNCTION,
        PartKind::Pointer { pointed: Pointed::Derived(_), rank: 0 } => true,
        PartKind::Pointer { .. } | PartKind::Plain { .. } | PartKind::Inside { .. } => false,
    }
}

fn field(name: &str, offset: usize, type_code: i32, count: usize) -> Field {
    Field { name: name.to_owned(), offset_bytes: offset as u64, type_code, count: count as u64 }
}

fn layout(error: crate::register::TypeError) -> DerivedTypeError {
    DerivedTypeError::Layout(error.to_string())
}

/// Whether the representation of pointers is known, by the result of COMPILER_VERSION: `GCC version 12.2.0`.
fn is_known(compiler: &str) -> bool {
    let version = compiler.strip_prefix("GCC version ");
    let first = version.and_then(|version| version.split('.').next());
    first.and_then(|first| first.parse::<u32>().ok()).is_some_and(|first| first >= FIRST_GFORTRAN)
}

/// How elements are aligned within a structure.
fn alignment(layouts: &Layouts, type_code: i32) -> usize {
    if let Some(structure) = layouts.structure(type_code) {
        let fields = structure.fields.iter().map(|field| alignment(layouts, field.type_code));
        return fields.max().unwrap_or(1);
    }
    let Some(found) = codes::by_code(type_code) else { return 1 };
    let bytes = match found.class {
        Class::Complex => found.size_bytes / 2,
        _ => found.size_bytes,
    };
    match bytes {
        0 | 1 => 1,
        2 => align_of::<u16>(),
        4 => align_of::<u32>(),
        // Not 8 on all machines.
        8 => align_of::<u64>(),
        12 => 4,
        _ => WIDEST,
    }
}

/// The alignment of types of more than 8 bytes.
const WIDEST: usize = if cfg!(target_arch = "s390x") { 8 } else { 16 };

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;
    use cppc_abi::types::{CHARACTER, FUNCTION, INTEGER_1};

    const INTEGER_2: i32 = 61;
    const REAL_8: i32 = 81;
    const COMPILER: &str = "GCC version 12.2.0";

    fn plain(code: i32, count: usize) -> PartKind {
        PartKind::Plain { code, count }
    }

    fn pointer(pointed: Pointed, rank: usize) -> PartKind {
        PartKind::Pointer { pointed, rank }
    }

    /// A type and one that extends it, with the sizes and offsets that gfortran 12 gives them.
    fn extended(compiler: &str, size_bytes: usize) -> DerivedTypes {
        let mut types = DerivedTypes::of_compiler(compiler);
        types.begin("m%node", size_bytes);
        types.add("base", PartKind::Inside { number: 2, count: 1 });
        types.add("v", plain(INTEGER_2, 1));
        types.add("next", pointer(Pointed::Derived(1), 0));
        types.add("a", pointer(Pointed::Code(REAL_8), 2));
        types.add("t", pointer(Pointed::Code(CHARACTER), 1));
        types.add("f", pointer(Pointed::Code(FUNCTION), 0));
        types.add("last", plain(INTEGER_1, 1));
        types.add("_t_length", plain(codes::LONG, 1));
        types.begin("m%base", 32);
        types.add("k", plain(INTEGER_1, 1));
        types.add("nm", pointer(Pointed::Code(CHARACTER), 0));
        types.add("z", plain(INTEGER_1, 1));
        types.add("_nm_length", plain(codes::LONG, 1));
        types
    }

    #[test]
    fn components_are_where_gfortran_puts_them() {
        let (mut layouts, mut types) = (Layouts::default(), GraphTypes::default());
        let described = extended(COMPILER, 224);
        let mut defined = described.define(&mut layouts, &mut types).unwrap();
        let code = defined.code(1).unwrap();
        let node = layouts.structure(code).unwrap();
        let offsets: Vec<u64> = node.fields.iter().map(|field| field.offset_bytes).collect();
        assert_eq!((offsets, node.size_bytes), (vec![0, 32, 40, 48, 136, 200, 208, 216], 224));
        assert_eq!(layouts.pointers_in(code), &[8, 40, 48, 136, 200]);
        let index = types.add(&mut layouts, code).unwrap();
        let of_arrays: Vec<bool> = types.get(index).pointers.iter().map(|one| one.is_of_array).collect();
        assert_eq!(of_arrays, [false, false, true, true, false]);
        // A variable that is an array pointer.
        let pointed = Pointed::Derived(1);
        let root = described.variable_of(pointed, 1, &mut defined, (&mut layouts, &mut types)).unwrap();
        assert_eq!(layouts.element_bytes(root), Ok(64));
        let root = types.add(&mut layouts, root).unwrap();
        assert_eq!(types.get(root).pointers[0].pointee, super::super::Pointee::Type(index));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let define = |described: &DerivedTypes| {
            described.define(&mut Layouts::default(), &mut GraphTypes::default()).map(|_| ())
        };
        assert_eq!(define(&extended(COMPILER, 0)), Ok(()));
        assert!(matches!(define(&extended(COMPILER, 216)), Err(DerivedTypeError::Size { .. })));
        // With `-fcoarray=single`: tokens of `next`, and of `nm` in the type that it extends.
        let mut coarrays = extended(COMPILER, 240);
        coarrays.list[1].size_bytes = 40;
        assert_eq!(define(&coarrays), Ok(()));
        for compiler in ["flang version 19.1.7", "GCC version 7.5.0", ""] {
            assert!(matches!(define(&extended(compiler, 224)), Err(DerivedTypeError::Compiler(_))));
        }
        let mut endless = DerivedTypes::of_compiler(COMPILER);
        endless.begin("m%a", 0);
        endless.add("a", PartKind::Inside { number: 1, count: 1 });
        assert_eq!(define(&endless), Err(DerivedTypeError::Nested));
        let mut unknown = DerivedTypes::of_compiler(COMPILER);
        unknown.begin("m%a", 0);
        unknown.add("a", pointer(Pointed::Derived(7), 0));
        assert_eq!(define(&unknown), Err(DerivedTypeError::Number(7)));
        let mut wrong = DerivedTypes::of_compiler(COMPILER);
        wrong.begin("m%a", 0);
        wrong.add("r", plain(REAL_8, 1));
        wrong.add_table(Pointed::Derived(1), WRONG.as_ptr() as usize);
        let other_size = DerivedTypeError::Size { name: "struct m%a".into(), found: 16, expected: 8 };
        assert_eq!(define(&wrong), Err(other_size));
    }

    /// The tables of two object files.
    static TABLES: [[usize; 2]; 2] = [[5, 8]; 2];
    static OTHER: [usize; 2] = [6, 8];
    static WRONG: [usize; 2] = [7, 16];

    #[test]
    fn a_type_table_gives_a_polymorphic_variable_its_type() {
        let (mut layouts, mut types) = (Layouts::default(), GraphTypes::default());
        let mut described = DerivedTypes::of_compiler(COMPILER);
        described.begin("m%holder", 120);
        described.add("rule", PartKind::Inside { number: 2, count: 1 });
        described.add("one", pointer(Pointed::Class(2), 0));
        described.add("many", pointer(Pointed::Class(0), 2));
        // Nothing in it.
        described.begin("m%rule", 0);
        described.begin("m%adding", 8);
        described.add("rule", PartKind::Inside { number: 2, count: 1 });
        described.add("amount", plain(REAL_8, 1));
        let [table, again] = TABLES.each_ref().map(|table| table.as_ptr() as usize);
        described.add_table(Pointed::Derived(3), table);
        let defined = described.define(&mut layouts, &mut types).unwrap();
        let holder = types.add(&mut layouts, defined.code(1).unwrap()).unwrap();
        let pointers: Vec<_> =
            types.get(holder).pointers.iter().map(|one| (one.offset, one.pointee)).collect();
        let dynamic = |table| super::super::Pointee::Dynamic { table };
        let expected = [(0, dynamic(8)), (8, super::super::Pointee::Table), (16, dynamic(88))];
        assert_eq!(pointers[..3], expected);
        assert_eq!(pointers[3], (104, super::super::Pointee::Table));
        let adding = defined.code(3).unwrap();
        let segments = Segments::now(0, 0);
        let found = |address: usize| types.tables().find(address, &segments).map(|(code, _)| code);
        assert_eq!((found(table), found(again)), (Some(adding), Some(adding)));
        assert_eq!((found(OTHER.as_ptr() as usize), found(&raw const segments as usize)), (None, None));
        assert!(types.index(adding).is_some());
    }
}
