//! The data of one unit during lowering: names for the linker, variables, sizes and contents of types.
//!
//! Input: a bound unit.
//! Output: objects and variables, which are created at their first use.
//! Postcondition: a symbol has one variable in its unit. External symbols of one name share one object.

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::{Content, Lifetime, Object, ObjectId, ProcedureId, Variable, VariableId};
use cppc_grammar::c::token::Name;
use cppc_grammar::c::tree::{Basic, Range};
use cppc_source::{Files, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::linker_names::{self, LinkerNames};
use crate::bind::c::{self as bind, Bound, Kind, RecordId, StorageKind, SymbolId, SymbolKind, Type};
use crate::front::c::Unit;
use crate::lower::Names;
use crate::model::token_spans::TokenSpans;

pub(super) struct UnitContext<'a> {
    pub unit: &'a Unit,
    pub bound: &'a Bound,
    pub spans: TokenSpans<'a>,
    /// The name of the file in the names of statics.
    pub file: String,
    /// The procedures, by `bind::ProcedureId`. `None` for procedures that are not used.
    pub procedures: Vec<Option<ProcedureId>>,
    /// The arrays of variable length: the number of elements by the depth of the brackets.
    pub extents: FxHashMap<SymbolId, Vec<Option<cppc_analysis::program::Affine>>>,
    /// Whether a part of the file could not be parsed. It may use every static.
    pub has_unparsed: bool,
    /// Whether all sources of the program are given.
    pub is_whole: bool,
    /// The names of the statics and externals whose address is taken anywhere in the program.
    pub addressed: std::rc::Rc<FxHashSet<String>>,
    /// The names of the unit for the linker, where they are not those in the source.
    pub linker: LinkerNames,
    /// The variables that aliases mean, in the whole program.
    pub variable_aliases: std::rc::Rc<FxHashMap<String, String>>,
    variables: FxHashMap<SymbolId, VariableId>,
    positions: FxHashMap<RecordId, Option<Vec<u64>>>,
    /// How many local variables of each name a procedure has.
    uses: FxHashMap<(bind::ProcedureId, Name), u32>,
}

/// Where a field is in its structure.
pub(super) struct FieldPlace {
    /// The byte in which it begins, if it is certain.
    pub offset: Option<u64>,
    pub ty: Type,
    pub is_bit_field: bool,
}

impl<'a> UnitContext<'a> {
    pub fn new(unit: &'a Unit, file: String, files: &Files) -> UnitContext<'a> {
        let is_system = |range: &Range| linker_names::is_system(unit, range, files);
        UnitContext {
            unit,
            bound: &unit.bound,
            spans: TokenSpans { preprocessed: &unit.preprocessed, main: unit.file },
            file,
            procedures: vec![None; unit.bound.procedures.len()],
            extents: FxHashMap::default(),
            has_unparsed: !unit.parsed.unit.unparsed.iter().all(is_system),
            is_whole: false,
            addressed: std::rc::Rc::default(),
            linker: LinkerNames::of(unit, files),
            variable_aliases: std::rc::Rc::default(),
            variables: FxHashMap::default(),
            positions: FxHashMap::default(),
            uses: FxHashMap::default(),
        }
    }

    pub fn text(&self, name: Name) -> &'a str {
        self.unit.preprocessed.names.text(name)
    }

    /// The name of a procedure for calls, or of a static or external variable.
    pub fn link(&self, id: SymbolId) -> String {
        let symbol = self.bound.symbol(id);
        let name = self.text(symbol.name);
        match (symbol.storage, symbol.procedure) {
            (StorageKind::StaticFile, _) => match self.linker.aliases.get(name) {
                Some(target) => self.link_of_name(target),
                None => format!("{}:{name}", self.file),
            },
            (StorageKind::Global, _) if symbol.kind == SymbolKind::Function => self.label(name).to_owned(),
            (StorageKind::Global, _) => {
                let label = self.label(name);
                self.variable_aliases.get(label).map_or(label, |target| target).to_owned()
            }
            (StorageKind::Automatic | StorageKind::Register, Some(outer)) => {
                let outer = self.bound.procedure(outer).symbol;
                format!("{}.{name}", self.link(outer))
            }
            _ => name.to_owned(),
        }
    }

    /// The name for the linker of an external function or variable.
    fn label<'s>(&'s self, name: &'s str) -> &'s str {
        self.linker.labels.get(name).map_or(name, |label| label)
    }

    /// The external aliases that the unit defines, with what they mean: all by their names for the linker. In order.
    pub fn aliases(&self, kind: SymbolKind) -> Vec<(String, String)> {
        let is_external = |name: &str| {
            let found = self.file_level(name);
            found.map_or(kind == SymbolKind::Function, |symbol| {
                symbol.storage == StorageKind::Global && symbol.kind == kind
            })
        };
        let aliases = self.linker.aliases.iter().filter(|(name, _)| is_external(name));
        let mut aliases: Vec<(String, String)> =
            aliases.map(|(name, target)| (self.label(name).to_owned(), self.link_of_name(target))).collect();
        aliases.sort();
        aliases
    }

    /// The names for the linker of the variables that the unit defines.
    pub fn defined_variables(&self) -> impl Iterator<Item = &str> {
        let symbols = self.bound.symbols.iter();
        let defined = symbols.filter(|symbol| {
            symbol.defined && symbol.kind == SymbolKind::Variable && symbol.storage == StorageKind::Global
        });
        defined.map(|symbol| self.label(self.text(symbol.name)))
    }

    /// Whether a variable of this name for the linker may have another name, too.
    pub fn has_alias(&self, link: &String) -> bool {
        self.linker.labels.values().any(|label| label == link)
            || self.variable_aliases.values().any(|target| target == link)
    }

    /// The name for the linker of what has a name at file level.
    fn link_of_name(&self, name: &str) -> String {
        match self.file_level(name).is_some_and(|symbol| symbol.storage == StorageKind::StaticFile) {
            true => format!("{}:{name}", self.file),
            false => self.label(name).to_owned(),
        }
    }

    fn file_level(&self, name: &str) -> Option<&'a bind::Symbol> {
        let is_it = |symbol: &&bind::Symbol| {
            matches!(symbol.storage, StorageKind::StaticFile | StorageKind::Global)
                && self.text(symbol.name) == name
        };
        self.bound.symbols.iter().find(is_it)
    }

    /// The variable of a symbol.
    pub fn variable(&mut self, id: SymbolId, program: &mut ProgramBuilder) -> VariableId {
        if let Some(&known) = self.variables.get(&id) {
            return known;
        }
        let object = self.object(id, program);
        let symbol = self.bound.symbol(id);
        let size = self.bound.size_of(&symbol.ty);
        let declared = Range { start: symbol.declared, end: symbol.declared + 1 };
        let variable = program.variable(Variable {
            name: self.text(symbol.name).to_owned(),
            object,
            offset: 0,
            size,
            declared: Some(self.spans.anchor(declared)),
            content: self.content(symbol.ty.leaf_element()),
            is_array: matches!(symbol.ty.kind, Kind::Array { .. }),
        });
        self.variables.insert(id, variable);
        variable
    }

    /// The variable of a symbol that something has used.
    pub fn known_variable(&self, id: SymbolId) -> Option<VariableId> {
        self.variables.get(&id).copied()
    }

    /// Adds the variables that each procedure of the unit can name: its own, and those of the file that are
    /// declared before it. Of the variables from system headers, only numbers are added: a
    /// library may change them (`optind`, `signgam`).
    pub fn list_names(&mut self, files: &Files, program: &mut ProgramBuilder, names: &mut Names) {
        for (number, symbol) in self.bound.symbols.iter().enumerate() {
            let is_variable = matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Parameter);
            let token = self.unit.preprocessed.tokens.get(symbol.declared as usize);
            let is_system =
                token.is_none_or(|token| files.get(token.origin.span.file).path.starts_with("/usr"));
            let id = SymbolId(number as u32);
            let is_number = self.variables.contains_key(&id)
                && matches!(self.content(&symbol.ty), Content::Integer { .. });
            if !is_variable || (is_system && !is_number) {
                continue;
            }
            let sees = |(id, procedure): (usize, &bind::Procedure)| {
                let visible = match symbol.procedure {
                    Some(own) => own.0 as usize == id,
                    None => symbol.visible <= procedure.range.start,
                };
                self.procedures[id].filter(|_| visible)
            };
            let procedures: Vec<ProcedureId> =
                self.bound.procedures.iter().enumerate().filter_map(sees).collect();
            // A source without procedures may have the size of an array.
            if procedures.is_empty() && symbol.defined && symbol.storage == StorageKind::Global {
                self.variable(id, program);
            }
            if !procedures.is_empty() {
                let variable = self.variable(id, program);
                names.extend(procedures.into_iter().map(|procedure| (procedure, variable)));
            }
        }
    }

    fn object(&mut self, id: SymbolId, program: &mut ProgramBuilder) -> ObjectId {
        let symbol = self.bound.symbol(id);
        let text = self.text(symbol.name);
        let owner =
            symbol.procedure.and_then(|owner| self.procedures[owner.0 as usize].map(|id| (owner, id)));
        let name = match (symbol.storage, symbol.procedure) {
            (StorageKind::StaticFile | StorageKind::Global, _) => self.link(id),
            (_, None) => text.to_owned(),
            (_, Some(owner)) => self.local_name(owner, symbol.name, program),
        };
        let is_global = symbol.storage == StorageKind::Global;
        let lifetime = match (symbol.storage, owner) {
            (StorageKind::Automatic | StorageKind::Register, Some((_, procedure))) => {
                Lifetime::Local(procedure)
            }
            _ => Lifetime::Static,
        };
        let is_static = lifetime == Lifetime::Static;
        // The C library sets them before `main`, and programs do not change them.
        let is_stream = is_global && !symbol.defined && matches!(text, "stdin" | "stdout" | "stderr");
        // If a restart needs a `const` variable of a procedure, the translation restores it.
        let is_constant = symbol.ty.leaf_element().qualifiers.constant && symbol.kind == SymbolKind::Variable;
        let size = self.bound.size_of(&symbol.ty);
        // An object of a library, such as the constants of MPI: the program can only use its address.
        let is_hidden =
            is_global && !symbol.defined && size.is_none() && matches!(symbol.ty.kind, Kind::Record(_));
        program.object(Object {
            name,
            lifetime,
            size,
            initialized: is_stream || is_static && symbol.defined,
            constant: is_stream || is_constant || is_hidden,
            external: is_global || is_static && self.has_unparsed,
        })
    }

    /// `solve.x`, and `solve.x.2` for the second `x` of `solve`.
    fn local_name(&mut self, owner: bind::ProcedureId, name: Name, program: &ProgramBuilder) -> String {
        let text = self.text(name);
        let procedure = self.link(self.bound.procedure(owner).symbol);
        loop {
            let count = self.uses.entry((owner, name)).or_default();
            *count += 1;
            let found = match *count {
                1 => format!("{procedure}.{text}"),
                count => format!("{procedure}.{text}.{count}"),
            };
            // A second definition of an external procedure has separate variables.
            if program.find_object(&found).is_none() {
                return found;
            }
        }
    }

    /// The content of an object of this type, or of one of its elements.
    pub fn content(&self, ty: &Type) -> Content {
        if let Some(kind) = self.handle(ty) {
            return Content::Handle(kind.to_owned());
        }
        match &ty.kind {
            Kind::Pointer(_) | Kind::Null | Kind::Function(_) => Content::Pointer,
            Kind::Record(_) => Content::Record,
            Kind::Vector { .. } => Content::Data,
            Kind::Basic(_) | Kind::Enum(_) if ty.is_integer() => match self.bound.size_of(ty) {
                Some(bytes) => Content::Integer { bytes: bytes as u8 },
                None => Content::Unknown,
            },
            Kind::Basic(Basic::Other(_)) => Content::Unknown,
            Kind::Basic(_) => Content::Data,
            Kind::Array { element, .. } => self.content(element),
            Kind::Unknown | Kind::Void | Kind::VaList | Kind::Enum(_) => Content::Unknown,
        }
    }

    /// The kind of handle that a type is.
    fn handle(&self, ty: &Type) -> Option<&'static str> {
        let (ty, names) = match &ty.kind {
            Kind::Pointer(target) if target.alias.is_some() && ty.alias.is_none() => {
                (&**target, &STREAMS[..])
            }
            _ => (ty, &HANDLES[..]),
        };
        let mut alias = ty.alias;
        for _ in 0..ALIAS_DEPTH_LIMIT {
            let symbol = self.bound.symbol(alias?);
            let text = self.text(symbol.name);
            if let Some((_, kind)) = names.iter().find(|(name, _)| *name == text) {
                return Some(kind);
            }
            alias = symbol.ty.alias;
        }
        None
    }

    /// A field by its name, also in anonymous structures and unions.
    pub fn field(&mut self, record: RecordId, name: Name) -> Option<FieldPlace> {
        let bound = self.bound;
        let fields = bound.tables.record(record).fields.as_ref()?;
        for (index, field) in fields.iter().enumerate() {
            match (field.name, &field.ty.kind) {
                (Some(found), _) if found == name => {
                    let offset = self.position(record, index).map(|bit| bit / 8);
                    return Some(FieldPlace {
                        offset,
                        ty: field.ty.clone(),
                        is_bit_field: field.bits.is_some(),
                    });
                }
                (None, Kind::Record(inner)) => {
                    if let Some(found) = self.field(*inner, name) {
                        let own = self.position(record, index).map(|bit| bit / 8);
                        let offset = own.zip(found.offset).map(|(outer, inner)| outer + inner);
                        return Some(FieldPlace { offset, ..found });
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The bit at which a field begins.
    pub fn position(&mut self, record: RecordId, index: usize) -> Option<u64> {
        let bound = self.bound;
        let known = self.positions.entry(record).or_insert_with(|| bound.field_positions(record));
        known.as_ref()?.get(index).copied()
    }

    pub fn span(&self, range: Range) -> Span {
        self.spans.anchor(range)
    }
}

/// The maximum length of a chain of typedefs that is followed.
const ALIAS_DEPTH_LIMIT: usize = 16;

/// Types for which a pointer is a handle, with the word of the catalogue.
const STREAMS: [(&str, &str); 2] = [("FILE", "file"), ("DIR", "directory")];

/// Types whose values are handles, with the word of the catalogue.
const HANDLES: [(&str, &str); 13] = [
    ("MPI_Comm", "communicator"),
    ("MPI_Datatype", "datatype"),
    ("MPI_Errhandler", "errhandler"),
    ("MPI_File", "file"),
    ("MPI_Group", "group"),
    ("MPI_Info", "info"),
    ("MPI_Message", "message"),
    ("MPI_Op", "operation"),
    ("MPI_Request", "request"),
    ("MPI_Session", "session"),
    ("MPI_Win", "window"),
    ("fftw_plan", "plan"),
    ("fftwf_plan", "plan"),
];
