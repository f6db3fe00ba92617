//! The text of a program: what `--dump=flow` prints.
//!
//! Input: a `Program`. Output: one line for each object, variable that is no temporary, and operation, in the
//! order of the program.

use std::fmt::{self, Write as _};

use crate::program::{
    Access, Affine, Argument, BlockId, Call, Callee, Comparison, Condition, Content, Dimension, Directive,
    Index, Item, Lifetime, Loop, Object, OperationKind, Procedure, Program, Step, Terminator, Value,
    VariableId,
};

impl Program {
    pub fn dump(&self) -> String {
        let mut text = String::new();
        let whole = if self.whole { "whole program" } else { "part of a program" };
        let _ = writeln!(text, "{whole}");
        for (number, object) in self.objects.iter().enumerate() {
            self.dump_object(&mut text, number, object);
        }
        for procedure in &self.procedures {
            self.dump_procedure(&mut text, procedure);
        }
        text
    }

    fn dump_object(&self, text: &mut String, number: usize, object: &Object) {
        let views: Vec<_> = self.variables.iter().filter(|view| view.object.0 as usize == number).collect();
        if !views.is_empty() && views.iter().all(|view| view.is_temporary()) {
            return;
        }
        let _ = write!(text, "object {}", object.name);
        if let Some(size) = object.size {
            let _ = write!(text, " {size} bytes");
        }
        if matches!(object.lifetime, Lifetime::Static) {
            text.push_str(" static");
        }
        for (set, word) in [
            (object.initialized, "initialized"),
            (object.constant, "constant"),
            (object.external, "external"),
        ] {
            if set {
                let _ = write!(text, " {word}");
            }
        }
        text.push('\n');
        for view in views {
            let _ = write!(text, "  {} at {}: {}", view.name, view.offset, Named(&view.content));
            if let Some(size) = view.size {
                let _ = write!(text, ", {size} bytes");
            }
            text.push('\n');
        }
    }

    fn dump_procedure(&self, text: &mut String, procedure: &Procedure) {
        let _ = write!(text, "\nprocedure {}(", procedure.name);
        let names: Vec<_> = procedure.parameters.iter().map(|&parameter| self.name(parameter)).collect();
        let _ = write!(text, "{})", names.join(", "));
        if let Some(result) = procedure.result {
            let _ = write!(text, " result {}", self.name(result));
        }
        for (set, word) in
            [(procedure.main, "main"), (procedure.local, "local"), (procedure.address_taken, "address taken")]
        {
            if set {
                let _ = write!(text, " [{word}]");
            }
        }
        text.push('\n');
        for (number, entry) in procedure.loops.iter().enumerate() {
            self.dump_loop(text, number, entry);
        }
        for (number, block) in procedure.blocks.iter().enumerate() {
            let id = BlockId(number as u32);
            let _ = write!(text, " b{number}:");
            if let Some(within) = block.within {
                let _ = write!(text, " in loop{}", within.0);
            }
            if procedure.entry == id {
                text.push_str(" entry");
            }
            for (name, _) in procedure.entries.iter().filter(|entry| entry.1 == id) {
                let _ = write!(text, " entry {name}");
            }
            text.push('\n');
            for operation in &block.operations {
                let _ = writeln!(text, "  {}", Shown(self, &operation.kind));
            }
            let _ = writeln!(text, "  {}", Shown(self, &block.terminator));
        }
    }

    fn dump_loop(&self, text: &mut String, number: usize, entry: &Loop) {
        let _ = write!(
            text,
            " loop{number}: {} = {}, {}, {}; header b{}, body b{}, exit b{}",
            self.name(entry.variable),
            Shown(self, &entry.first),
            Shown(self, &entry.last),
            entry.step,
            entry.header.0,
            entry.body.0,
            entry.exit.0
        );
        if let Some(within) = entry.within {
            let _ = write!(text, ", in loop{}", within.0);
        }
        text.push_str(if entry.regular { ", regular\n" } else { "\n" });
    }

    fn name(&self, variable: VariableId) -> &str {
        &self.variables[variable.0 as usize].name
    }
}

/// A part of a program, with the names of its variables.
struct Shown<'p, T>(&'p Program, &'p T);

struct Named<'p>(&'p Content);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Content::Integer { bytes } => write!(f, "integer({bytes})"),
            Content::Data => write!(f, "data"),
            Content::Pointer => write!(f, "pointer"),
            Content::Descriptor => write!(f, "descriptor"),
            Content::Reference { no_alias: true } => write!(f, "reference, no alias"),
            Content::Reference { no_alias: false } => write!(f, "reference"),
            Content::Record => write!(f, "record"),
            Content::Handle(kind) => write!(f, "handle({kind})"),
            Content::Unknown => write!(f, "unknown"),
        }
    }
}

impl fmt::Display for Shown<'_, OperationKind> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Shown(program, kind) = self;
        match kind {
            OperationKind::Read(access) => write!(f, "read {}", Shown(program, access)),
            OperationKind::Write { to, value } => {
                write!(f, "write {} := {}", Shown(program, to), Shown(program, value))
            }
            OperationKind::Begin(variable) => write!(f, "begin {}", program.name(*variable)),
            OperationKind::Allocate { to, bytes, zeroed, .. } => {
                write!(f, "allocate {}", Shown(program, to))?;
                if let Some(bytes) = bytes {
                    write!(f, ", {} bytes", Shown(program, bytes))?;
                }
                f.write_str(if *zeroed { ", zeroed" } else { "" })
            }
            OperationKind::Free(access) => write!(f, "free {}", Shown(program, access)),
            OperationKind::Call(call) => Shown(program, &**call).fmt(f),
            OperationKind::Directive(directive) => Shown(program, &**directive).fmt(f),
            OperationKind::Opaque { reason, touched } => {
                let names: Vec<_> = touched.iter().map(|&variable| program.name(variable)).collect();
                write!(f, "opaque ({reason}) {}", names.join(", "))
            }
        }
    }
}

impl fmt::Display for Shown<'_, Terminator> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.1 {
            Terminator::Jump(block) => write!(f, "jump b{}", block.0),
            Terminator::Branch { condition, then, otherwise } => {
                write!(f, "branch ")?;
                if let Some(condition) = condition {
                    write!(f, "{} ", Shown(self.0, condition))?;
                }
                write!(f, "b{} else b{}", then.0, otherwise.0)
            }
            Terminator::Succeeds { then, otherwise } => {
                write!(f, "on success b{} else b{}", then.0, otherwise.0)
            }
            Terminator::Switch(blocks) => {
                let names: Vec<_> = blocks.iter().map(|block| format!("b{}", block.0)).collect();
                write!(f, "switch {}", names.join(", "))
            }
            Terminator::Return => f.write_str("return"),
            Terminator::Stop => f.write_str("stop"),
            Terminator::Anywhere => f.write_str("jump anywhere"),
        }
    }
}

impl fmt::Display for Shown<'_, Condition> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = match self.1.comparison {
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
        };
        write!(f, "{} {sign} {}", Shown(self.0, &self.1.left), Shown(self.0, &self.1.right))
    }
}

impl fmt::Display for Shown<'_, Affine> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Shown(program, value) = self;
        for (number, &(variable, factor)) in value.terms.iter().enumerate() {
            let sign = match (number, factor < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            f.write_str(sign)?;
            if factor.unsigned_abs() != 1 {
                write!(f, "{}*", factor.unsigned_abs())?;
            }
            f.write_str(program.name(variable))?;
        }
        match (value.terms.is_empty(), value.constant) {
            (true, constant) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, constant) if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
            (false, constant) => write!(f, " + {constant}"),
        }
    }
}

/// The variable and the path, in one notation for all languages: `p->.x[i]`. The bytes at the end follow.
impl fmt::Display for Shown<'_, Access> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Shown(program, access) = self;
        f.write_str(program.name(access.root))?;
        for step in &access.path {
            match step {
                Step::Field { name, offset } => write!(f, ".{name}@{offset}")?,
                Step::Dereference => f.write_str("->")?,
                Step::Elements(dimensions) => {
                    f.write_str("[")?;
                    for (number, dimension) in dimensions.iter().enumerate() {
                        f.write_str(if number > 0 { ", " } else { "" })?;
                        write!(f, "{}", Shown(program, dimension))?;
                    }
                    f.write_str("]")?;
                }
            }
        }
        match access.size {
            Some(size) => write!(f, "/{size}"),
            None => f.write_str("/?"),
        }
    }
}

impl fmt::Display for Shown<'_, Dimension> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Shown(program, dimension) = self;
        match &dimension.index {
            Index::At(index) => write!(f, "{}", Shown(program, index))?,
            Index::Range { first, last, step } => {
                write!(f, "{}:{}", Shown(program, first), Shown(program, last))?;
                if *step != 1 {
                    write!(f, ":{step}")?;
                }
            }
            Index::All => f.write_str(":")?,
            Index::Unknown => f.write_str("?")?,
        }
        if let (Some(lower), Some(extent)) = (&dimension.lower, &dimension.extent) {
            write!(f, " of {}+{}", Shown(program, lower), Shown(program, extent))?;
        }
        Ok(())
    }
}

impl fmt::Display for Shown<'_, Value> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Shown(program, value) = self;
        match value {
            Value::Data => f.write_str("data"),
            Value::Affine(value) => Shown(program, value).fmt(f),
            Value::Copy(access) => write!(f, "copy {}", Shown(program, access)),
            Value::Address(access) => write!(f, "&{}", Shown(program, access)),
            Value::Procedure(name) => write!(f, "procedure {name}"),
            Value::Null => f.write_str("null"),
            Value::Unknown => f.write_str("unknown"),
        }
    }
}

impl fmt::Display for Shown<'_, Call> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Shown(program, call) = self;
        if let Some(result) = &call.result {
            write!(f, "{} := ", Shown(program, result))?;
        }
        match &call.callee {
            Callee::Named(name) => write!(f, "call {name}(")?,
            Callee::Indirect(access) => write!(f, "call *{}(", Shown(program, access))?,
            Callee::OneOf(names) => write!(f, "call one of {}(", names.join(" "))?,
        }
        for (number, argument) in call.arguments.iter().enumerate() {
            f.write_str(if number > 0 { ", " } else { "" })?;
            match argument {
                Argument::Value(value) => write!(f, "{}", Shown(program, value))?,
                Argument::Reference(access) => write!(f, "ref {}", Shown(program, access))?,
                Argument::Absent => f.write_str("absent")?,
            }
        }
        f.write_str(if call.never_returns { ") never returns" } else { ")" })
    }
}

impl fmt::Display for Shown<'_, Directive> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Shown(program, directive) = self;
        let list = |items: &[Item]| {
            let items: Vec<_> = items
                .iter()
                .map(|item| format!("{} = {}", item.text, Shown(program, &item.memory)))
                .collect();
            items.join("; ")
        };
        match directive {
            Directive::Init => f.write_str("INIT"),
            Directive::Shutdown => f.write_str("SHUTDOWN"),
            Directive::Checkpoint => f.write_str("CHECKPOINT"),
            Directive::Register(items) => write!(f, "REGISTER {}", list(items)),
            Directive::Unregister(items) => write!(f, "UNREGISTER {}", list(items)),
            Directive::BeginExecute { captures, files, on_restart, .. } => {
                f.write_str(if *on_restart { "EXECUTE ON RESTART" } else { "EXECUTE" })?;
                write!(f, " capture({}) file({})", list(captures), list(files))
            }
            Directive::EndExecute => f.write_str("END EXECUTE"),
        }
    }
}
