//! A whole program: files, modules, external procedures, the main program with what it contains.

use super::super::sample::{Node, Sample, SourceFile};
use super::layout::{laid_out, Form};
use super::procedures::nullified;
use super::tree::nodes;
use super::world::{Base, DefinitionSite, FileKind, Line, Memory, Module, Passed, Scope, Shape, Variable};
use super::Writer;
use crate::program::Language;

impl Writer {
    /// All files of a program.
    pub fn program(&mut self, size: i64) -> Sample {
        let mpi = self.random.chance(4);
        self.world.wide = self.random.chance(8);
        self.starts_below = self.random.chance(10);
        let mut sample = Sample::new(Language::Fortran);
        let ticks = Node::lines(SUMS.lines()).fixed();
        sample.files.push(SourceFile::new("sums.f90", vec![ticks]));
        for _ in 0..self.random.below(4) {
            self.derived_type();
        }
        if !self.world.types.is_empty() {
            let lines = self.types_module();
            self.file(&mut sample, "types", &lines, false);
        }
        for number in 0..self.random.below(3) {
            let lines = self.module(number, size);
            let name = self.world.modules[number].name.clone();
            self.file(&mut sample, &name, &lines, false);
        }
        let externals = self.random.below(3);
        if externals > 0 {
            if self.random.chance(50) {
                self.common();
            }
            let mut lines = Vec::new();
            for _ in 0..externals {
                lines.extend(self.procedure(DefinitionSite::External, size));
            }
            self.file(&mut sample, "outside", &lines, true);
        }
        let lines = self.main(size, mpi);
        self.file(&mut sample, "main", &lines, true);
        if self.includes {
            // In columns that are valid in both forms.
            let text = ["      call mix(7)", "      call tick()"];
            let included = SourceFile {
                is_compiled: false,
                ..SourceFile::new("part.inc", vec![Node::lines(text).fixed()])
            };
            sample.files.push(included);
        }
        if self.hides_array {
            // At a checkpoint within the BLOCK, the outer array has no name, so it cannot be re-passed.
            sample.refusals.push("C0517");
        }
        let has_files = !self.files.is_empty();
        sample.writes = std::mem::take(&mut self.files);
        sample.processes = mpi.then_some(2);
        // Only the library of gfortran gives the positions of units. The module of MPI is compiled with
        // gfortran. And flang 19 does not support arguments of any rank.
        let dummies = self.world.procedures.iter().flat_map(|procedure| &procedure.dummies);
        let has_any_rank = dummies.into_iter().any(|dummy| dummy.passed == Passed::AssumedRank);
        if self.world.wide || mpi || has_files || has_any_rank {
            sample.only_compiler = Some("gfortran");
        }
        sample
    }

    fn file(&mut self, sample: &mut Sample, stem: &str, lines: &[Line], fixed_too: bool) {
        let form = if self.random.chance(if fixed_too { 30 } else { 15 }) { Form::Fixed } else { Form::Free };
        let rows = laid_out(lines, form, &mut self.random);
        sample.files.push(SourceFile::new(form.name(stem), nodes(lines, rows)));
    }

    fn types_module(&mut self) -> Vec<Line> {
        let mut texts = vec![(0, "module types".to_owned()), (1, "implicit none".to_owned())];
        for t in 0..self.world.types.len() {
            texts.extend(self.type_text(t).into_iter().map(|text| (1, text)));
        }
        for text in
            ["type linked", "  integer :: n", "  integer, pointer :: link(:) => null()", "end type linked"]
        {
            texts.push((1, text.to_owned()));
        }
        texts.push((0, "end module types".to_owned()));
        texts.into_iter().map(|(depth, text)| Line::new(depth, text)).collect()
    }

    /// COMMON, used by external procedures and the main program.
    fn common(&mut self) {
        let (a, b) = (self.name("c"), self.name("c"));
        let group = self.world.new_group();
        self.world.common_declarations =
            vec![format!("integer {a}, {b}(3)"), format!("common /shared/ {a}, {b}")];
        self.world.common = vec![
            Variable { memory: Memory::Alias, ..Variable::scalar(&a, Base::Integer(4), group) },
            Variable {
                memory: Memory::Alias,
                shape: Shape::Fixed(vec![(1, 3)]),
                ..Variable::scalar(&b, Base::Integer(4), group)
            },
        ];
    }

    fn module(&mut self, number: usize, size: i64) -> Vec<Line> {
        let name = format!("store_{number}");
        self.scope = Scope { leads: true, times: 1, ..Scope::default() };
        // The variables of a large module are re-passed by the module alone.
        let count =
            if self.random.chance(15) { self.random.within(16, 24) } else { self.random.within(1, 5) };
        for _ in 0..count {
            self.declare_any(true);
        }
        let scope = std::mem::take(&mut self.scope);
        let own = Module {
            name: name.clone(),
            variables: scope.variables.clone(),
            initial: scope.initial.clone(),
            registers: scope.registers.clone(),
            keeper: (!scope.registers.is_empty() && self.random.chance(40)).then(|| format!("keep_{name}")),
        };
        let keeper = own.keeper.clone();
        self.world.modules.push(own);
        let mut lines: Vec<Line> = Vec::new();
        let mut put = |depth: usize, text: String| lines.push(Line::new(depth, text));
        put(0, format!("module {name}"));
        put(1, "use sums".to_owned());
        if !self.world.types.is_empty() {
            put(1, "use types".to_owned());
        }
        for module in &self.world.modules[..number] {
            put(1, format!("use {}", module.name));
        }
        put(1, "implicit none".to_owned());
        for text in &scope.declarations {
            put(1, text.clone());
        }
        let end_of_declarations = lines.len();
        let mut put = |depth: usize, text: String| lines.push(Line::new(depth, text));
        let first = self.world.procedures.len();
        let procedures = self.random.below(4);
        if procedures > 0 || keeper.is_some() {
            put(0, "contains".to_owned());
        }
        if let Some(keeper) = keeper {
            put(1, format!("subroutine {keeper}()"));
            for names in self.in_groups(scope.registers.clone()) {
                put(2, format!("!$cppc register({names})"));
            }
            put(1, format!("end subroutine {keeper}"));
        }
        for _ in 0..procedures {
            let body = self.procedure(DefinitionSite::Module(number), size);
            lines.extend(body.into_iter().map(|line| Line { depth: line.depth + 1, ..line }));
        }
        let (names, procedures) = self.other_names(first);
        lines.extend(procedures);
        let names = names.into_iter().map(|text| Line::new(1, text));
        lines.splice(end_of_declarations..end_of_declarations, names);
        lines.push(Line::new(0, format!("end module {name}")));
        lines
    }

    fn main(&mut self, size: i64, mpi: bool) -> Vec<Line> {
        let callable: Vec<usize> = (0..self.world.procedures.len()).collect();
        self.scope = Scope {
            leads: true,
            times: 1,
            checkpoints_limit: 24,
            work_limit: 1500,
            callable,
            next_label: 100,
            mpi,
            ..Scope::default()
        };
        let counters: Vec<String> = (0..4).map(|_| self.name("i")).collect();
        self.scope.declarations.push(format!("integer :: {}", counters.join(", ")));
        self.scope.counters = counters;
        for module in self.world.modules.clone() {
            self.scope.own_groups.extend(module.variables.iter().map(|v| v.group));
            self.scope.variables.extend(module.variables);
        }
        self.scope.variables.extend(self.world.common.clone());
        for _ in 0..self.random.within(3, 5 + size / 2) {
            self.declare_any(false);
        }
        if self.random.chance(40) {
            let table = self.name("v");
            self.declare_table(&table);
        }
        if self.random.chance(25) {
            self.declare_before_init();
        }
        if !mpi {
            let units = [0, 0, 1, 2][self.random.below(4)];
            for _ in 0..units {
                self.declare_unit();
            }
        }
        let mut contained = Vec::new();
        for _ in 0..self.random.below(4) {
            contained.extend(self.procedure(DefinitionSite::Contained, size));
        }
        self.main_loop(size);
        let scope = std::mem::take(&mut self.scope);
        self.assembled_main(scope, contained, mpi)
    }

    /// At least one checkpoint is in a loop.
    fn main_loop(&mut self, size: i64) {
        let before = self.random.within(0, 2);
        self.statements(before, 1);
        let counter = self.scope.counters.remove(0);
        let turns = self.random.within(3, 5);
        self.open(format!("do {counter} = 1, {turns}"));
        self.scope.times = turns as u32;
        // So there is at least one tick at which the program can be killed.
        self.tick();
        self.scope.loops.push(super::world::Loop { name: None, may_cycle: false });
        let count = self.random.within(1, size);
        self.statements(count, 2);
        self.checkpoint();
        self.tick();
        let count = self.random.within(2, 2 + size);
        self.statements(count, 2);
        self.scope.loops.pop();
        self.scope.times = 1;
        self.close("end do");
        self.scope.counters.push(counter);
        let after = self.random.within(0, 3);
        self.statements(after, 2);
    }

    fn assembled_main(&mut self, scope: Scope, contained: Vec<Line>, mpi: bool) -> Vec<Line> {
        let mut texts: Vec<(usize, String)> = vec![(0, "program main".to_owned())];
        texts.extend(self.uses(DefinitionSite::External, false).into_iter().map(|text| (1, text)));
        if mpi {
            texts.push((1, "use mpi".to_owned()));
        }
        texts.push((1, "implicit none".to_owned()));
        texts.extend(self.externals().into_iter().map(|text| (1, text)));
        texts.extend(self.world.common_declarations.clone().into_iter().map(|text| (1, text)));
        texts.extend(scope.declarations.iter().map(|text| (1, text.clone())));
        if mpi {
            texts.push((1, "integer :: my_rank, my_token, my_total, my_got, my_team, my_error".to_owned()));
        }
        let mut lines: Vec<Line> = texts.into_iter().map(|(depth, text)| Line::new(depth, text)).collect();
        for chunk in self.beginning(&scope, mpi) {
            lines.extend(self.first_values(1, chunk));
        }
        lines.extend(scope.lines.iter().cloned().map(|line| Line { depth: line.depth + 1, ..line }));
        let mut put = |depth: usize, text: String| lines.push(Line::new(depth, text));
        for text in self.ending(&scope, mpi) {
            put(1, text);
        }
        if !contained.is_empty() || self.starts_below {
            put(0, "contains".to_owned());
        }
        if self.starts_below {
            put(1, "subroutine begin_service()".to_owned());
            put(2, "!$cppc init".to_owned());
            put(1, "end subroutine begin_service".to_owned());
        }
        lines.extend(contained.into_iter().map(|line| Line { depth: line.depth + 1, ..line }));
        lines.push(Line::new(0, "end program main"));
        lines
    }

    /// First values, some before `init` and some after it, and the registers.
    fn beginning(&mut self, scope: &Scope, mpi: bool) -> Vec<Vec<String>> {
        let mut chunks: Vec<Vec<String>> = Vec::new();
        for v in &self.world.common {
            chunks.push(vec![format!("{} = 2", v.name)]);
        }
        for module in &self.world.modules {
            chunks.extend(module.initial.clone());
        }
        chunks.extend(scope.initial.clone());
        let directive = |chunk: &Vec<String>| chunk.iter().any(|text| text.starts_with("!$cppc"));
        let first = chunks.iter().position(directive).unwrap_or(chunks.len());
        let at = if self.random.chance(50) { 0 } else { self.random.below(first + 1) };
        let mut items: Vec<String> = Vec::new();
        if !self.world.common.is_empty() {
            items.push("/shared/".to_owned());
        }
        let last = chunks.len();
        for module in self.world.modules.clone() {
            match module.keeper {
                None => items.extend(module.registers.clone()),
                Some(keeper) => {
                    let place = self.random.within(at as i64, last as i64) as usize;
                    chunks.insert(place, vec![format!("call {keeper}()")]);
                }
            }
        }
        items.extend(scope.registers.clone());
        items.push("total".to_owned());
        if mpi {
            items.extend(["my_token".to_owned(), "my_total".to_owned(), "my_got".to_owned()]);
        }
        for names in self.in_groups(items) {
            let place = if self.random.chance(25) {
                self.random.within(at as i64, last as i64) as usize
            } else {
                chunks.len()
            };
            chunks.insert(place, vec![format!("!$cppc register({names})")]);
        }
        let mut texts: Vec<Vec<String>> = Vec::new();
        let words = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
        let modules = self.world.modules.iter().map(|module| &module.variables);
        texts.extend(modules.chain([&scope.variables]).flat_map(|variables| nullified(variables, &chunks)));
        texts.extend(self.world.pointers_set.iter().map(|text| vec![text.clone()]));
        texts.extend(scope.before.clone());
        if mpi {
            texts.push(words(&[
                "call MPI_Init(my_error)",
                "call MPI_Comm_rank(MPI_COMM_WORLD, my_rank, my_error)",
            ]));
            texts.push(words(&["my_token = my_rank", "my_total = 0", "my_got = 0"]));
        }
        for n in 0..=chunks.len() {
            if n == at {
                texts.push(words(&[if self.starts_below { "call begin_service()" } else { "!$cppc init" }]));
                if mpi {
                    let duplicate = "call MPI_Comm_dup(MPI_COMM_WORLD, my_team, my_error)";
                    texts.push(words(&["!$cppc execute", duplicate, "!$cppc end execute"]));
                }
            }
            texts.extend(chunks.get(n).cloned());
        }
        texts
    }

    /// Closes the files and reads them again, and prints everything.
    fn ending(&mut self, scope: &Scope, mpi: bool) -> Vec<String> {
        let mut texts = Vec::new();
        for unit in scope.units.iter().filter(|unit| unit.kind != FileKind::Appended) {
            texts.push(format!("close ({})", unit.handle));
        }
        texts.push("!$cppc shutdown".to_owned());
        if mpi {
            texts.push(
                "call MPI_Reduce(my_token, my_total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, my_error)"
                    .to_owned(),
            );
            texts.push("call MPI_Finalize(my_error)".to_owned());
            texts.push("if (my_rank /= 0) stop".to_owned());
            texts.push("print *, 'token', my_total".to_owned());
        }
        for v in self.scope_variables(scope) {
            texts.extend(self.print(&v));
        }
        texts.push("print '(a, i0)', 'total ', total".to_owned());
        for unit in &scope.units {
            let kind = match unit.kind {
                FileKind::Formatted | FileKind::Appended => "show_lines",
                FileKind::Unformatted => "show_records",
                FileKind::Stream => "show_stream",
                FileKind::Direct => "show_direct",
            };
            texts.push(format!("call {kind}('{}')", unit.file));
        }
        texts
    }

    fn scope_variables(&self, scope: &Scope) -> Vec<Variable> {
        scope.variables.iter().filter(|v| !matches!(v.base, Base::Derived(_))).cloned().collect()
    }
}

/// Kills the program at a tick, adds up the results of procedures, and reads written files.
const SUMS: &str = include_str!("sums.f90");
