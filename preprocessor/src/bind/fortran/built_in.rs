//! The modules that every compiler brings along, and what is known of some that come with libraries.
//!
//! Input: a module's name.
//! Output: a scope with its names.
//! Postcondition: kinds are those of gfortran and flang on the machines that we run on.

use super::bound::Bound;
use super::ids::{Origin, ScopeId};
use super::machine::Machine;
use super::symbols::{Implicit, ProcedureTarget, Scope, ScopeKind, Symbol, SymbolKind, Value};
use super::types::Type;

const ENVIRONMENT: [(&str, i128); 25] = [
    ("int8", 1),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("real16", 2),
    ("real32", 4),
    ("real64", 8),
    ("real128", 16),
    ("logical8", 1),
    ("logical16", 2),
    ("logical32", 4),
    ("logical64", 8),
    ("input_unit", 5),
    ("output_unit", 6),
    ("error_unit", 0),
    ("iostat_end", -1),
    ("iostat_eor", -2),
    ("iostat_inquire_internal_unit", 5018),
    ("character_storage_size", 8),
    ("numeric_storage_size", 32),
    ("file_storage_size", 8),
    ("atomic_int_kind", 4),
    ("atomic_logical_kind", 4),
    ("stat_stopped_image", 6000),
    ("stat_failed_image", 6001),
];

/// Those that are the same everywhere.
const BINDING: [(&str, i128); 29] = [
    ("c_int", 4),
    ("c_short", 2),
    ("c_long_long", 8),
    ("c_signed_char", 1),
    ("c_int8_t", 1),
    ("c_int16_t", 2),
    ("c_int32_t", 4),
    ("c_int64_t", 8),
    ("c_int128_t", 16),
    ("c_int_least8_t", 1),
    ("c_int_least16_t", 2),
    ("c_int_least32_t", 4),
    ("c_int_least64_t", 8),
    ("c_int_least128_t", 16),
    ("c_int_fast8_t", 1),
    ("c_int_fast64_t", 8),
    ("c_int_fast128_t", 16),
    ("c_intmax_t", 8),
    ("c_float", 4),
    ("c_double", 8),
    ("c_float128", 16),
    ("c_float_complex", 4),
    ("c_double_complex", 8),
    ("c_float128_complex", 16),
    ("c_bool", 1),
    ("c_char", 1),
    ("c_unsigned", 4),
    ("c_unsigned_char", 1),
    ("c_unsigned_short", 2),
];

/// Those of C's types that have another size on another machine.
fn binding_of(machine: Machine) -> [(&'static str, i128); 9] {
    let Machine { long, pointer, long_double, .. } = machine;
    [
        ("c_long", long),
        ("c_unsigned_long", long),
        ("c_size_t", pointer),
        ("c_intptr_t", pointer),
        ("c_ptrdiff_t", pointer),
        // As in the GNU C library.
        ("c_int_fast16_t", pointer),
        ("c_int_fast32_t", pointer),
        ("c_long_double", long_double),
        ("c_long_double_complex", long_double),
    ]
}

const BINDING_CHARACTERS: [&str; 8] = [
    "c_null_char",
    "c_alert",
    "c_backspace",
    "c_form_feed",
    "c_new_line",
    "c_carriage_return",
    "c_horizontal_tab",
    "c_vertical_tab",
];

const PROCEDURES: [(&str, &[&str]); 2] = [
    ("iso_fortran_env", &["compiler_version", "compiler_options"]),
    (
        "iso_c_binding",
        &[
            "c_loc",
            "c_funloc",
            "c_f_pointer",
            "c_f_procpointer",
            "c_associated",
            "c_sizeof",
            "c_f_strpointer",
        ],
    ),
];

const TYPES: [(&str, &[&str]); 2] = [
    ("iso_fortran_env", &["lock_type", "event_type", "team_type", "notify_type"]),
    ("iso_c_binding", &["c_ptr", "c_funptr"]),
];

/// What the names of well-known libraries' modules begin with.
pub(super) fn prefixes(module: &str) -> &'static [&'static str] {
    match module {
        "mpi" | "mpi_f08" | "mpi_base" | "mpi_constants" | "mpi_sizeofs" => &["mpi_", "pmpi_"],
        "omp_lib" | "omp_lib_kinds" => &["omp_", "openmp_", "kmp_"],
        "openacc" => &["acc_", "openacc_"],
        "netcdf" => &["nf90_"],
        "ieee_arithmetic" | "ieee_exceptions" | "ieee_features" => &["ieee_"],
        "cppc" => &["cppc_"],
        _ => &[],
    }
}

/// The type of a name that such a module brings.
pub(super) fn type_of_foreign(name: &str) -> Type {
    match name {
        "mpi_wtime" | "mpi_wtick" | "pmpi_wtime" | "pmpi_wtick" | "omp_get_wtime" | "omp_get_wtick" => {
            Type::Real(8)
        }
        "mpi_aint_add" | "mpi_aint_diff" => Type::Integer(8),
        "ieee_is_nan" | "ieee_is_finite" | "ieee_is_normal" | "ieee_is_negative" => Type::Logical(4),
        "omp_get_thread_num" | "omp_get_num_threads" | "omp_get_max_threads" | "omp_get_num_procs" => {
            Type::Integer(4)
        }
        _ => Type::Unknown,
    }
}

/// The value of a constant that such a module brings: kinds, which declarations need.
pub(super) fn constant_of_foreign(name: &str, machine: impl FnOnce() -> Machine) -> Option<i128> {
    Some(match name {
        "mpi_address_kind" => machine().pointer,
        "mpi_offset_kind" | "mpi_count_kind" => 8,
        "mpi_integer_kind" | "omp_lock_kind_int" | "omp_integer_kind" | "omp_logical_kind" => 4,
        "omp_lock_kind" | "omp_nest_lock_kind" => 8,
        "mpi_max_processor_name" | "mpi_max_error_string" => return None,
        _ => return None,
    })
}

impl<'a> Bound<'a> {
    /// The scope of a module that the compiler brings along, made when it is first used.
    pub(super) fn built_in_module(&mut self, name: &str) -> Option<ScopeId> {
        if !matches!(name, "iso_fortran_env" | "iso_c_binding") {
            return None;
        }
        let key = format!("built in {name}");
        if let Some(&known) = self.modules.get(&key) {
            return Some(known);
        }
        let implicit = Implicit { types: [Type::Unknown; 26], none: true };
        let scope = self.push_scope(Scope::new(ScopeKind::Module, name, 0, None, implicit));
        self.modules.insert(key, scope);
        let constants = if name == "iso_c_binding" {
            let machine = self.sources.first().map(|source| Machine::of(source.options))?;
            [&BINDING[..], &binding_of(machine)].concat()
        } else {
            ENVIRONMENT.to_vec()
        };
        for (constant, value) in constants {
            self.add_built_in(scope, constant, Type::Integer(4), SymbolKind::Constant(Value::Integer(value)));
        }
        for (_, types) in TYPES.iter().filter(|(module, _)| *module == name) {
            for ty in *types {
                let id = self.push_type(scope, ty, Origin::built_in());
                self.types[id.0 as usize].opaque = true;
            }
        }
        for (_, procedures) in PROCEDURES.iter().filter(|(module, _)| *module == name) {
            for procedure in *procedures {
                let kind = SymbolKind::Procedure(ProcedureTarget::Intrinsic);
                self.add_built_in(scope, procedure, Type::Unknown, kind);
            }
        }
        if name == "iso_c_binding" {
            let one = Type::Character { kind: 1, length: super::types::Length::Known(1) };
            for constant in BINDING_CHARACTERS {
                self.add_built_in(scope, constant, one, SymbolKind::Constant(Value::Opaque));
            }
            for constant in ["c_null_ptr", "c_null_funptr"] {
                self.add_built_in(scope, constant, Type::Unknown, SymbolKind::Constant(Value::Opaque));
            }
        }
        Some(scope)
    }

    fn add_built_in(&mut self, scope: ScopeId, name: &str, ty: Type, kind: SymbolKind<'a>) {
        let mut symbol = Symbol::new(name, scope, Origin::built_in());
        (symbol.ty, symbol.typed, symbol.kind) = (ty, true, kind);
        self.push_symbol(symbol);
    }
}
