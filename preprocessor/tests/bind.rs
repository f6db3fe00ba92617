//! Tests the binder with the files in `bind/`. In `types/`, an expression statement that is followed by `// :
//! type` has that type (`?` if it cannot be spelled). In `directives/`, each line with a
//! diagnostic has a mark (crate `fixtures`). In `items/`, a comment under a directive
//! describes each item.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cppc_fixtures::marks;
use cppc_grammar::c::parse::parse;
use cppc_grammar::c::preprocess::{preprocess, Compiler};
use cppc_grammar::c::token::Preprocessed;
use cppc_grammar::c::tree::{BlockItem, Compound, Expr, External, Statement, StatementKind, Unit};
use cppc_preprocessor::bind::c::{
    bind, Bound, CallFact, Callee, DirectiveKind, DirectivePosition, Element, Kind, Procedure, ProcedureId,
    SymbolId, SymbolKind, Type,
};
use cppc_source::{Diagnostic, FileId, Files};

struct Case {
    files: Files,
    main: FileId,
    preprocessed: Preprocessed,
    unit: Unit,
    bound: Bound,
}

fn compiler(flags: &[&str]) -> Compiler {
    let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    Compiler::probe("cc".as_ref(), &flags).expect("a C compiler")
}

fn case(name: &Path, text: &[u8], compiler: &Compiler) -> Case {
    let mut files = Files::new();
    let main = files.add(name, text);
    let preprocessed = preprocess(&mut files, main, compiler);
    let parsed = parse(&preprocessed, main);
    let earlier: Vec<&Diagnostic> = preprocessed.diagnostics.iter().chain(&parsed.diagnostics).collect();
    let shown: String = earlier.iter().map(|found| found.render(&files, false)).collect();
    assert!(earlier.is_empty(), "{}: {shown}", name.display());
    let bound = bind(&parsed.unit, &preprocessed, &files, main);
    Case { files, main, preprocessed, unit: parsed.unit, bound }
}

fn fixtures(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bind").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder of fixtures").flatten();
    let paths =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|found| found == "c"));
    let mut found: Vec<_> =
        paths.map(|path| (path.clone(), std::fs::read_to_string(path).expect("a fixture"))).collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

impl Case {
    fn line(&self, token: u32) -> u32 {
        let span = self.preprocessed.tokens[token as usize].origin;
        let place = span.expansion.map_or(span.span, |id| self.preprocessed.expansions.get(id).invocation);
        self.files.get(self.main).line_column(place.start).0
    }

    fn spell(&self, ty: &Type, procedure: Option<ProcedureId>) -> String {
        self.bound.spell(ty, "", procedure, &self.preprocessed).unwrap_or_else(|| "?".to_owned())
    }

    /// The expression statements of the procedures in the main file, with their lines.
    fn expressions(&self) -> Vec<(u32, &Expr)> {
        let mut found = Vec::new();
        for item in &self.unit.items {
            if let External::Function(function) = item {
                self.compound(&function.body, &mut found);
            }
        }
        found.retain(|(token, _)| {
            self.preprocessed.tokens[*token as usize].origin.span.file == self.main
                || self.preprocessed.tokens[*token as usize].origin.expansion.is_some()
        });
        found.into_iter().map(|(token, expr)| (self.line(token), expr)).collect()
    }

    fn compound<'t>(&self, compound: &'t Compound, found: &mut Vec<(u32, &'t Expr)>) {
        for item in &compound.items {
            if let BlockItem::Statement(statement) = item {
                self.statement(statement, found);
            }
        }
    }

    fn statement<'t>(&self, statement: &'t Statement, found: &mut Vec<(u32, &'t Expr)>) {
        match &statement.kind {
            StatementKind::Expr(Some(value)) => found.push((statement.range.start, value)),
            StatementKind::Compound(body) => self.compound(body, found),
            StatementKind::For { body, .. } | StatementKind::Label { body, .. } => {
                self.statement(body, found)
            }
            _ => {}
        }
    }
}

#[test]
fn expressions_have_their_types() {
    let compiler = compiler(&["-std=gnu11"]);
    for (path, text) in fixtures("types") {
        let case = case(&path, text.as_bytes(), &compiler);
        let found = case.expressions();
        let mut wrong = Vec::new();
        let mut seen = 0;
        for (index, line) in text.lines().enumerate() {
            let Some((_, expected)) = line.split_once("// : ") else { continue };
            let number = index as u32 + 1;
            let Some((_, expr)) = found.iter().rev().find(|(line, _)| *line == number) else {
                wrong.push(format!("{number}: no expression: {line}"));
                continue;
            };
            let procedure = case.bound.procedure_at(expr.range.start);
            let spelled = case.spell(case.bound.type_of(expr.id), procedure);
            if spelled != expected {
                wrong.push(format!("{number}: {} is {spelled}", line.trim()));
            }
            seen += 1;
        }
        assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
        assert!(seen > 10);
    }
}

#[test]
fn headers_are_understood() {
    let headers = "mpi.h stdio.h stdlib.h math.h complex.h tgmath.h pthread.h signal.h assert.h stdatomic.h \
                   sys/socket.h time.h string.h unistd.h inttypes.h setjmp.h wchar.h errno.h fcntl.h";
    let text: String = headers
        .split_whitespace()
        .map(|header| format!("#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"))
        .collect();
    let flags: [&[&str]; 2] = [
        &["-I/usr/lib/x86_64-linux-gnu/openmpi/include"],
        &["-I/usr/lib/x86_64-linux-gnu/mpich/include", "-O2", "-D_FORTIFY_SOURCE=2"],
    ];
    for flags in flags {
        let case = case(Path::new("headers.c"), text.as_bytes(), &compiler(flags));
        for symbol in &case.bound.symbols {
            let name = case.preprocessed.names.text(symbol.name);
            assert!(
                symbol.kind == SymbolKind::EnumConstant || !holds_unknown(&symbol.ty),
                "`{name}`: {:?}",
                symbol.ty
            );
        }
        for id in 0..case.unit.expressions {
            let ty = case.bound.type_of(cppc_grammar::c::tree::ExprId(id));
            assert!(!ty.is_unknown(), "expression {id} with {flags:?}");
        }
        assert!(case.bound.diagnostics.is_empty());
    }
}

fn holds_unknown(ty: &Type) -> bool {
    match &ty.kind {
        Kind::Unknown => true,
        Kind::Pointer(target) => holds_unknown(target),
        Kind::Array { element, .. } => holds_unknown(element),
        Kind::Function(function) => {
            holds_unknown(&function.result) || function.parameters.iter().any(holds_unknown)
        }
        _ => false,
    }
}

#[test]
fn diagnostics_are_at_their_positions() {
    let compiler = compiler(&["-I/usr/lib/x86_64-linux-gnu/openmpi/include"]);
    let mut codes = std::collections::BTreeSet::new();
    for (path, text) in fixtures("directives") {
        let case = case(&path, text.as_bytes(), &compiler);
        codes.extend(case.bound.diagnostics.iter().map(|found| found.code));
        marks::check(&path, marks::all_in(&case.bound.diagnostics, &case.files, case.main));
    }
    assert!(codes.len() > 25, "{codes:?}");
}

#[test]
fn items_are_resolved() {
    let compiler = compiler(&[]);
    for (path, text) in fixtures("items") {
        let case = case(&path, text.as_bytes(), &compiler);
        let errors: String =
            case.bound.diagnostics.iter().map(|found| found.render(&case.files, false)).collect();
        assert!(errors.is_empty(), "{errors}");
        let mut described = std::collections::HashMap::new();
        for directive in &case.bound.directives {
            let line = case.files.get(case.main).line_column(directive.span.end).0;
            described.insert(line, describe(&case, directive));
        }
        compare(&path, &text, &described);
    }
}

fn leaves(case: &Case, id: cppc_preprocessor::bind::c::RecordId) -> Option<String> {
    let found =
        case.bound.leaves(id, &case.preprocessed, &cppc_preprocessor::bind::c::Selections::default())?;
    let leaf = |leaf: &cppc_preprocessor::bind::c::Leaf| {
        let what = leaf.element.constant().map_or_else(|| case.spell(&leaf.ty, None), str::to_owned);
        format!("{} {what} x {}", leaf.path, leaf.count)
    };
    Some(format!("  {}", found.iter().map(leaf).collect::<Vec<_>>().join(", ")))
}

#[test]
fn procedures_have_their_facts() {
    let compiler = compiler(&["-std=gnu11"]);
    for (path, text) in fixtures("facts") {
        let case = case(&path, text.as_bytes(), &compiler);
        let mut described: std::collections::HashMap<u32, Vec<String>> = std::collections::HashMap::new();
        for procedure in &case.bound.procedures {
            described.entry(case.line(procedure.range.end - 1)).or_default().push(facts(&case, procedure));
        }
        compare(&path, &text, &described);
    }
}

fn facts(case: &Case, procedure: &Procedure) -> String {
    let name = |id: &SymbolId| case.preprocessed.names.text(case.bound.symbol(*id).name).to_owned();
    let facts = &procedure.facts;
    let taken: Vec<String> = facts.address_taken.iter().map(name).collect();
    let called = |call: &CallFact| match call.callee {
        Callee::Function(id) => name(&id),
        Callee::Pointer => "(pointer)".to_owned(),
        Callee::Builtin(builtin) => case.preprocessed.names.text(builtin).to_owned(),
    };
    let calls: Vec<String> = facts.calls.iter().map(called).collect();
    let labels = facts.labels.iter().map(|label| case.preprocessed.names.text(label.name));
    let gotos = facts.gotos.iter().map(|goto| case.preprocessed.names.text(goto.name));
    let variables: Vec<String> = procedure.variables.iter().map(name).collect();
    let mut text =
        format!("{}({}): variables {}", procedure.name, procedure.parameters.len(), variables.join(" "));
    let lists = [
        ("taken", taken.join(" ")),
        ("calls", calls.join(" ")),
        ("labels", labels.collect::<Vec<_>>().join(" ")),
        ("gotos", gotos.collect::<Vec<_>>().join(" ")),
    ];
    for (what, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        text.push_str(&format!("; {what} {list}"));
    }
    if !facts.computed_jumps.is_empty() {
        text.push_str(&format!("; {} computed", facts.computed_jumps.len()));
    }
    text
}

/// Inserts the results under the lines of a fixture as `//= …`, and compares with the fixture.
fn compare(path: &Path, text: &str, described: &std::collections::HashMap<u32, Vec<String>>) {
    let mut expected = String::new();
    for (index, line) in text.lines().enumerate() {
        if !line.starts_with("//= ") {
            expected.push_str(line);
            expected.push('\n');
        }
        for description in described.get(&(index as u32 + 1)).into_iter().flatten() {
            expected.push_str(&format!("//= {description}\n"));
        }
    }
    cppc_fixtures::check(path, &expected);
}

fn describe(case: &Case, directive: &cppc_preprocessor::bind::c::BoundDirective) -> Vec<String> {
    let at = match directive.place {
        DirectivePosition::Item { index, .. } => format!("item {index}"),
        DirectivePosition::AfterLabel { .. } => "after a label".to_owned(),
        DirectivePosition::Unbraced { .. } => "without braces".to_owned(),
    };
    let place = format!("{} of `{}`", at, case.bound.procedure(directive.procedure).name);
    let what = |code: Option<cppc_preprocessor::bind::c::Element>, element: &Type| {
        let spelled = case.spell(element, Some(directive.procedure));
        code.and_then(|code| code.constant()).map_or(spelled, str::to_owned)
    };
    let mut lines = Vec::new();
    match &directive.kind {
        DirectiveKind::Register(items) => {
            for item in items {
                let sizes: Vec<&str> = item.size_variables.iter().map(|size| size.key.as_str()).collect();
                let sizes =
                    if sizes.is_empty() { String::new() } else { format!(", sizes {}", sizes.join(" ")) };
                let far = if item.through_pointer { ", through a pointer" } else { "" };
                let (slot, lvalue, count) = (item.slot, &item.lvalue_text, &item.count_text);
                let element = what(item.element_code, &item.element);
                let shape = if item.extents.is_empty() {
                    String::new()
                } else {
                    format!(", shape {{{}}}", item.extents.join(", "))
                };
                lines.push(format!(
                    "`{}`: {slot:?} {lvalue}, {count} x {element}{shape}{sizes}{far}",
                    item.key
                ));
                if let Some(Element::Record(id)) = item.element_code {
                    lines.extend(leaves(case, id));
                }
            }
        }
        DirectiveKind::Unregister(items) | DirectiveKind::Execute { captures: items, .. } => {
            for item in items {
                let element = what(item.element_code, &item.element);
                lines.push(format!(
                    "`{}`: {:?} {}, {} x {element}",
                    item.key, item.slot, item.text, item.count_text
                ));
            }
        }
        _ => {}
    }
    if lines.is_empty() {
        lines.push(place);
    } else {
        lines[0].push_str(&format!(" ({place})"));
    }
    lines
}
