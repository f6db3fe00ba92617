//! Input and output.
//!
//! Input: a statement. Output: calls of `fortran%read`, `fortran%open`, …, with the unit as the first argument and the
//! name of the file as the second.
//! Postcondition: items of an input are written only if the statement succeeds. With `IOSTAT=` or `END=`,
//! they may keep their values.

use cppc_analysis::program::{
    Access, Affine, Argument as Passed, Content, Expression, InputFile, Terminator, Value,
};
use cppc_grammar::fortran::tree::{Argument, Expr, ExprKind, StatementKind};

use super::body::Body;
use super::facts::label_of;
use crate::bind::fortran::symbols::Value as Constant;
use crate::bind::fortran::{statements_of, Meaning, ScopeId, SymbolKind, Type};

/// Clauses that every statement sets.
const SETS: [&str; 4] = ["iostat", "iomsg", "size", "id"];
/// Clauses of INQUIRE that are read.
const INQUIRE_READS: [&str; 4] = ["unit", "file", "id", "pos"];

/// OPEN with NEWUNIT, which does not read the unit.
const NEW_UNIT: &str = "open_new";
/// The same with `STATUS='OLD'` or `ACTION='READ'`, which do not change the file.
const NEW_UNIT_OF_INPUT: &str = "open_new_input";
/// OPEN with one of these and a unit.
const OPEN_INPUT: &str = "open_input";
/// The same with `IOSTAT` or `ERR`: the program continues if the file does not exist.
const OPEN_OPTIONAL: &str = "open_optional";
const NEW_UNIT_OPTIONAL: &str = "open_new_optional";
/// OPEN with `POSITION='APPEND'`, or with a position that is not known.
const OPEN_APPEND: &str = "open_append";
const NEW_UNIT_FOR_APPENDING: &str = "open_new_append";
/// The same with `STATUS='NEW'`, which fails if the file exists.
const OPEN_CREATE: &str = "open_create";
const NEW_UNIT_CREATE: &str = "open_new_create";
/// The same with `STATUS='REPLACE'` or `STATUS='SCRATCH'`, after which the file is empty.
const OPEN_REPLACE: &str = "open_replace";
const NEW_UNIT_REPLACE: &str = "open_new_replace";
const OPEN_SCRATCH: &str = "open_scratch";
const NEW_UNIT_SCRATCH: &str = "open_new_scratch";
/// INQUIRE that asks whether a file exists.
const INQUIRE_FILE: &str = "inquire_file";
/// The unit of standard input.
const STANDARD_INPUT: i64 = 5;
/// The unit of standard output.
const STANDARD_OUTPUT: i64 = 6;
/// READ from standard input without a number of a unit.
const READ_INPUT: &str = "read_input";
/// READ and WRITE of a record that the statement chooses.
const READ_RECORD: &str = "read_record";
const WRITE_RECORD: &str = "write_record";
/// CLOSE that may delete the file.
const CLOSE_DELETE: &str = "close_delete";

impl<'a> Body<'_, 'a> {
    pub fn io(&mut self, scope: ScopeId, keyword: &str, controls: &[Argument], items: &[Expr]) {
        let input = matches!(keyword, "read" | "accept" | "decode");
        let output = matches!(keyword, "write" | "print" | "type" | "encode" | "rewrite");
        let by_length =
            keyword == "inquire" && controls.iter().any(|control| named(control) == Some("iolength"));
        let mut arguments = Vec::new();
        let mut internal = None;
        let (mut sets, mut labels, mut tolerant) = (Vec::new(), Vec::new(), false);
        let (mut is_new, mut has_unit) = (false, false);
        let mut namelists = Vec::new();
        let is_old = self.any_is(controls, "status", "old");
        for (position, control) in controls.iter().enumerate() {
            let word = named(control);
            if let (Some("err" | "end" | "eor"), Some(label)) =
                (word, label_of(self.bound, self.source, control))
            {
                labels.push(label);
                continue;
            }
            let Some(value) = control.expressions().first().copied() else { continue };
            let is_unit = word == Some("unit") || (word.is_none() && position == 0 && !plain(keyword));
            let set = match keyword {
                "inquire" => word.is_some_and(|word| !INQUIRE_READS.contains(&word)),
                _ => word.is_some_and(|word| SETS.contains(&word) || word == "newunit"),
            };
            if set {
                tolerant |= word == Some("iostat");
                let asked = match (keyword, word) {
                    ("open", Some("iostat")) if is_old => Some(InputFile::OpenStatus),
                    ("inquire", Some("exist")) => Some(InputFile::Exists),
                    _ => None,
                };
                sets.push((value, word != Some("iomsg"), asked));
                if word == Some("newunit") {
                    is_new = true;
                    arguments.insert(0, self.argument_of(scope, value, false));
                }
                continue;
            }
            if let Some(name) = self.namelist(scope, value).filter(|_| word.is_none() || word == Some("nml"))
            {
                namelists.push(name);
                continue;
            }
            if is_unit && (input || output) && self.is_internal(scope, value) {
                internal = Some(value);
                continue;
            }
            let argument = self.argument_of(scope, value, true);
            if is_unit {
                has_unit = true;
                arguments.insert(0, self.standard_unit(scope, value).unwrap_or(argument));
            } else if matches!(word, Some("file")) {
                arguments.push(self.file_name(scope, value).unwrap_or(argument));
            }
        }
        if let (Some(value), true) = (internal, input) {
            self.reads(scope, value);
        }
        if output || by_length {
            items.iter().for_each(|item| self.output_item(scope, item, by_length));
            if output {
                self.read_beside_calls(scope, &items.iter().collect::<Vec<_>>());
            }
            for (home, name) in &namelists {
                self.group(*home, name, |body, access| body.read(access));
            }
        }
        let is_standard = !has_unit && internal.is_none();
        if is_standard && matches!(keyword, "print" | "type" | "write") {
            arguments.insert(0, Passed::Value(Value::Affine(Affine::constant(STANDARD_OUTPUT))));
        }
        self.library(self.statement_of(scope, keyword, controls, is_new, is_standard), arguments, None);
        for (value, always, asked) in sets {
            if let (Some(asked), ExprKind::Name(_)) = (asked, &value.kind) {
                self.flow.set_computed(vec![Expression::InputFile(asked)]);
            }
            self.set(scope, value, always);
        }
        if !labels.is_empty() {
            self.jump_after(labels);
        }
        if let (Some(value), true) = (internal, output) {
            let always = self.bound.type_of(scope, value).rank == Some(0) && !tolerant;
            match always {
                true => self.set(scope, value, true),
                false => self.if_it_succeeds(|body| body.set(scope, value, true)),
            }
        }
        if input && !(items.is_empty() && namelists.is_empty()) {
            match tolerant {
                true => self.if_it_succeeds(|body| body.input_items(scope, items)),
                false => self.input_items(scope, items),
            }
            for (home, name) in namelists {
                // The input itself names the variables that it sets.
                self.group(home, &name, |body, access| body.perhaps(|body| body.write(access, Value::Data)));
            }
        }
    }

    /// The statement continues, or jumps to one of the labels.
    fn jump_after(&mut self, labels: Vec<u32>) {
        let after = self.flow.new_block();
        let mut targets = vec![after];
        targets.extend(labels.into_iter().map(|label| self.label(label)));
        self.flow.terminate(Terminator::Switch(targets));
        self.flow.switch_to(after);
    }

    /// The name of the statement in the catalogue.
    fn statement_of<'k>(
        &self,
        scope: ScopeId,
        keyword: &'k str,
        controls: &[Argument],
        is_new: bool,
        is_standard: bool,
    ) -> &'k str {
        let is_input = || self.any_is(controls, "status", "old") || self.any_is(controls, "action", "read");
        let is_status =
            |word: &str| self.text_of_control(scope, controls, "status").flatten().as_deref() == Some(word);
        let is_new_file = || is_status("new");
        let has = |word: &str| controls.iter().any(|control| named(control) == Some(word));
        let continues = has("iostat") || has("err");
        let may_delete = |word: &str| {
            controls.iter().any(|control| named(control) == Some(word))
                && !self.any_is(controls, word, "keep")
        };
        // Positions of stream access that are computed mostly differ.
        let is_fixed = |control: &Argument| {
            let position = control.expressions().first().copied();
            position
                .is_some_and(|position| self.constant(scope, position).is_some_and(|at| at.terms.is_empty()))
        };
        let chooses_record = || {
            controls.iter().any(|control| match named(control) {
                Some("rec") => true,
                Some("pos") => is_fixed(control),
                _ => false,
            })
        };
        match keyword {
            "read" if is_standard => READ_INPUT,
            "read" if chooses_record() => READ_RECORD,
            "write" if chooses_record() => WRITE_RECORD,
            "open" if is_new_file() && is_new => NEW_UNIT_CREATE,
            "open" if is_new_file() => OPEN_CREATE,
            "open" if is_status("replace") && is_new => NEW_UNIT_REPLACE,
            "open" if is_status("replace") => OPEN_REPLACE,
            "open" if is_status("scratch") && is_new => NEW_UNIT_SCRATCH,
            "open" if is_status("scratch") => OPEN_SCRATCH,
            "open" if is_new && is_input() && continues => NEW_UNIT_OPTIONAL,
            "open" if is_input() && continues => OPEN_OPTIONAL,
            "open" if is_new && is_input() => NEW_UNIT_OF_INPUT,
            "open" if is_input() => OPEN_INPUT,
            "open" if is_new && self.appends(scope, controls) => NEW_UNIT_FOR_APPENDING,
            "open" if is_new => NEW_UNIT,
            "open" if self.appends(scope, controls) => OPEN_APPEND,
            "close" if ["status", "dispose", "disp"].into_iter().any(may_delete) => CLOSE_DELETE,
            "inquire" if has("file") && has("exist") => INQUIRE_FILE,
            _ => keyword,
        }
    }

    /// Whether a control is `word='value'`.
    fn any_is(&self, controls: &[Argument], word: &str, value: &str) -> bool {
        let is_value = |text: &str| text.trim_matches(['\'', '"']).trim().eq_ignore_ascii_case(value);
        let of_word = controls.iter().filter(|control| named(control) == Some(word));
        let values = of_word.filter_map(|control| control.expressions().first().copied());
        values.into_iter().any(|found| is_value(self.bound.text(self.source, found.at)))
    }

    /// Whether an OPEN statement may begin at the end of a file that existed before it.
    fn appends(&self, scope: ScopeId, controls: &[Argument]) -> bool {
        let value_of = |word: &str| self.text_of_control(scope, controls, word);
        let is_new_file =
            matches!(value_of("status").flatten().as_deref(), Some("replace" | "new" | "scratch"));
        let is_end = |text: Option<String>| text.is_none_or(|text| text == "append");
        !is_new_file && ["position", "access"].into_iter().filter_map(value_of).any(is_end)
    }

    /// The name of a file, if it is a constant, or the variable that contains it in `trim(name)`.
    fn file_name(&mut self, scope: ScopeId, value: &Expr) -> Option<Passed> {
        if let ExprKind::Reference { base, arguments } = &value.kind {
            let is_trim = matches!(self.bound.meaning(scope, base, arguments), Meaning::Intrinsic("trim"));
            let inner = arguments.iter().flat_map(Argument::expressions).next().filter(|_| is_trim)?;
            return Some(Passed::Reference(self.place(scope, inner)?.whole()));
        }
        let text = self.constant_text(scope, value)?;
        let id = self.flow.program.text(text.trim_end(), Content::Data);
        Some(Passed::Value(Value::Address(self.flow.program.whole(id))))
    }

    /// The value of a control in small letters. None: there is no such control. `Some(None)`: the value is not known.
    fn text_of_control(&self, scope: ScopeId, controls: &[Argument], word: &str) -> Option<Option<String>> {
        let control = controls.iter().find(|control| named(control) == Some(word))?;
        let value = control.expressions().first().copied()?;
        Some(self.constant_text(scope, value).map(|text| text.trim().to_ascii_lowercase()))
    }

    /// The text of a literal or a named constant.
    pub fn constant_text(&self, scope: ScopeId, value: &Expr) -> Option<String> {
        match &value.kind {
            ExprKind::Literal(_) => {
                let text = self.bound.text(self.source, value.at);
                Some(text.trim_matches(['\'', '"']).to_owned())
            }
            ExprKind::Name(name) => {
                let symbol = self.bound.symbol(self.bound.lookup(scope, &name.text)?);
                let SymbolKind::Constant(Constant::Expression(value)) = symbol.kind else { return None };
                let literal = matches!(value.kind, ExprKind::Literal(_));
                let text = self.bound.text(symbol.origin.source, value.at);
                literal.then(|| text.trim_matches(['\'', '"']).to_owned())
            }
            _ => None,
        }
    }

    fn argument_of(&mut self, scope: ScopeId, value: &Expr, reads: bool) -> Passed {
        let found = if reads { self.value(scope, value) } else { Value::Data };
        match self.place(scope, value) {
            Some(place) => Passed::Reference(place.whole()),
            None => Passed::Value(found),
        }
    }

    /// The number of the unit of standard input, if a constant has it: `input_unit`.
    fn standard_unit(&self, scope: ScopeId, value: &Expr) -> Option<Passed> {
        let number = self.constant(scope, value)?;
        (number.as_constant() == Some(STANDARD_INPUT)).then_some(Passed::Value(Value::Affine(number)))
    }

    fn is_internal(&self, scope: ScopeId, value: &Expr) -> bool {
        matches!(self.bound.type_of(scope, value).ty, Type::Character { .. })
    }

    fn output_item(&mut self, scope: ScopeId, item: &Expr, by_length: bool) {
        match &item.kind {
            ExprKind::ImpliedDo { items, variable, bounds } => {
                self.implied_loop(scope, variable, bounds, true, |body| {
                    items.iter().for_each(|item| body.output_item(scope, item, by_length));
                });
            }
            _ if by_length => {}
            _ => {
                self.value(scope, item);
                self.defined_transfer(scope, item, false);
            }
        }
    }

    fn input_items(&mut self, scope: ScopeId, items: &[Expr]) {
        for item in items {
            match &item.kind {
                ExprKind::ImpliedDo { items, variable, bounds } => {
                    self.implied_loop(scope, variable, bounds, true, |body| body.input_items(scope, items));
                }
                _ => self.input_item(scope, item),
            }
        }
    }

    fn input_item(&mut self, scope: ScopeId, item: &Expr) {
        let Some(place) = self.place(scope, item) else { return drop(self.not_understood(scope, item)) };
        let to = place.whole();
        if self.defined_transfer(scope, item, true) {
            return;
        }
        if let Type::Derived(id) = place.ty {
            if self.storage.layouts.holds_allocatables(self.bound, id) {
                // A procedure of the type reads the structure.
                return self.opaque("input of a structure by a procedure", vec![to.root]);
            }
        }
        let value = match to.content {
            Content::Unknown => Value::Unknown,
            _ => Value::Data,
        };
        self.write(to, value);
    }

    /// The group of a namelist name, with the scope that declares it.
    fn namelist(&self, scope: ScopeId, value: &Expr) -> Option<(ScopeId, String)> {
        let ExprKind::Name(name) = &value.kind else { return None };
        let symbol = self.bound.symbol(self.bound.lookup(scope, &name.text)?);
        matches!(symbol.kind, SymbolKind::Namelist).then(|| (symbol.scope, symbol.name.clone()))
    }

    fn group(&mut self, home: ScopeId, group: &str, mut each: impl FnMut(&mut Self, Access)) {
        let statements = self.bound.scope(home).unit.map(statements_of).unwrap_or_default();
        let mut members = Vec::new();
        for statement in statements {
            let StatementKind::Namelist(groups) = &statement.kind else { continue };
            for (_, names) in groups.iter().filter(|(name, _)| name.text == group) {
                members.extend(names.iter().filter_map(|name| self.bound.lookup(home, &name.text)));
            }
        }
        if members.is_empty() {
            self.opaque("a namelist whose members are not known", Vec::new());
        }
        for member in members {
            if let Some(place) = self.place_of_symbol(member) {
                each(self, place.whole());
            }
        }
    }
}

fn named(control: &Argument) -> Option<&str> {
    control.keyword.as_ref().map(|word| word.text.as_str())
}

/// The first control is a format.
fn plain(keyword: &str) -> bool {
    matches!(keyword, "print" | "type" | "accept")
}
