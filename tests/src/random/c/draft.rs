//! A program while it is being generated.
//!
//! Input: the requests of the procedures.
//! Output: the definitions at the start of the files.
//! Postcondition: a procedure calls only procedures that were generated before it. So the only recursive
//! calls are those that count their depth.

use std::collections::BTreeMap;

use super::scope::Variable;
use super::types::{Structure, Type};
use crate::random::sample::{Node, Size};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parameter {
    Value(Type),
    /// A pointer to this number of elements.
    Pointer(Type, usize),
}

#[derive(Debug, Clone)]
pub struct Procedure {
    pub name: String,
    pub file: usize,
    pub is_static: bool,
    pub parameters: Vec<Parameter>,
    pub returns: Option<Type>,
    /// Whether it contains directives, or calls a procedure that does.
    pub leads: bool,
    /// Its first parameter counts down how often it may call itself.
    pub recurs: bool,
    /// The approximate number of ticks of a call.
    pub cost: usize,
}

/// A table of pointers to procedures of one signature.
#[derive(Debug, Clone)]
pub struct Table {
    pub name: String,
    pub file: usize,
    /// The first of them. It determines the signature.
    pub procedure: usize,
    pub length: usize,
    pub cost: usize,
    pub leads: bool,
}

/// One source file.
#[derive(Debug, Default)]
pub struct File {
    /// Its own variables, as declarations.
    pub head: Vec<Node>,
    /// Tables. They are placed after the prototypes of its procedures.
    pub tables: Vec<Node>,
    pub procedures: Vec<Node>,
    /// Variables of this file that procedures can use.
    pub variables: Vec<Variable>,
    /// Directives that register them.
    pub registers: Vec<Node>,
    /// Prototypes of its static procedures.
    pub prototypes: Vec<Node>,
}

#[derive(Debug)]
pub struct Draft {
    pub size: Size,
    pub structures: Vec<Structure>,
    pub files: Vec<File>,
    /// Declarations of the header: of variables and procedures that all files see.
    pub shared: Vec<Node>,
    /// Those variables.
    pub globals: Vec<Variable>,
    pub procedures: Vec<Procedure>,
    pub tables: Vec<Table>,
    /// Names of the files that the program writes, and of the streams.
    pub streams: Vec<(String, String)>,
    pub is_parallel: bool,
    /// Other files that it writes.
    pub written: Vec<String>,
    /// The keys of the arrays of linked structures, by file.
    pools: BTreeMap<usize, u32>,
    /// Variables that are printed at the end, and are not read elsewhere.
    pub hidden: Vec<Variable>,
    next_key: u32,
    next_number: usize,
}

impl Draft {
    pub fn new(size: Size) -> Draft {
        Draft {
            size,
            structures: Vec::new(),
            files: Vec::new(),
            shared: Vec::new(),
            globals: Vec::new(),
            procedures: Vec::new(),
            tables: Vec::new(),
            streams: Vec::new(),
            is_parallel: false,
            written: Vec::new(),
            pools: BTreeMap::new(),
            hidden: Vec::new(),
            next_key: 0,
            next_number: 0,
        }
    }

    pub fn key(&mut self) -> u32 {
        self.next_key += 1;
        self.next_key
    }

    /// The key of the file's array of linked structures. The array is created if it does not exist.
    pub fn pool(&mut self, file: usize) -> u32 {
        if let Some(&key) = self.pools.get(&file) {
            return key;
        }
        let key = self.key();
        self.pools.insert(file, key);
        let name = format!("pool_{file}");
        self.files[file].head.push(Node::line(format!("static struct linked {name}[4];")).key(key));
        self.files[file].registers.push(Node::line(format!("#pragma cppc register({name})")).key(key));
        key
    }

    /// Whether a file has such an array.
    pub fn has_pool(&self, file: usize) -> Option<u32> {
        self.pools.get(&file).copied()
    }

    pub fn number(&mut self) -> usize {
        self.next_number += 1;
        self.next_number
    }

    /// The number of ticks that one call of a procedure may take.
    pub fn cost_limit(&self) -> usize {
        match self.size {
            Size::Small => 40,
            Size::Large => 120,
        }
    }

    /// The number of ticks of the whole program.
    pub fn total_limit(&self) -> usize {
        match self.size {
            Size::Small => 160,
            Size::Large => 600,
        }
    }
}

/// `double f3(int p, const struct part *q)`, without the semicolon.
pub fn prototype(procedure: &Procedure, names: &[String], structures: &[Structure]) -> String {
    let mut parameters: Vec<String> = Vec::new();
    for (parameter, name) in procedure.parameters.iter().zip(names) {
        parameters.push(declare_parameter(parameter, name, structures));
    }
    let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let name = format!("{}({list})", procedure.name);
    let declared = match &procedure.returns {
        None => format!("void {name}"),
        Some(ty) => super::types::declare(ty, &name, structures),
    };
    let word = if procedure.is_static { "static " } else { "" };
    format!("{word}{declared}")
}

pub fn declare_parameter(parameter: &Parameter, name: &str, structures: &[Structure]) -> String {
    match parameter {
        Parameter::Value(ty) => super::types::declare(ty, name, structures),
        Parameter::Pointer(ty, length) => {
            let pointer = Type::Pointer(Box::new(ty.clone()), *length);
            super::types::declare(&pointer, name, structures)
        }
    }
}
