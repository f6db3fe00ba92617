//! Statements of every form, each with the amount of its work.

use super::expr::kind_of;
use super::world::{Base, Line, Loop, Memory, Shape};
use super::Writer;

impl Writer {
    pub fn put(&mut self, text: impl Into<String>) {
        let line = Line { atom: self.atom, ..Line::new(self.scope.depth, text) };
        self.scope.lines.push(line);
    }

    pub fn put_labelled(&mut self, label: u32, text: impl Into<String>) {
        let line = Line { label: Some(label), ..Line::new(self.scope.depth, text) };
        self.scope.lines.push(line);
    }

    /// Statements that can be removed only together.
    pub fn together(&mut self, write: impl FnOnce(&mut Writer)) {
        self.atoms += 1;
        let outer = std::mem::replace(&mut self.atom, self.atoms);
        write(self);
        self.atom = outer;
    }

    pub fn open(&mut self, text: impl Into<String>) {
        self.put(text);
        self.scope.depth += 1;
    }

    pub fn middle(&mut self, text: impl Into<String>) {
        self.scope.depth -= 1;
        self.open(text);
    }

    pub fn close(&mut self, text: impl Into<String>) {
        self.scope.depth -= 1;
        self.put(text);
    }

    pub fn label(&mut self) -> u32 {
        self.scope.next_label += 10;
        self.scope.next_label
    }

    /// Whether the limits allow statements with this number of checkpoints and this work.
    pub fn affords(&self, checkpoints: u32, work: u32) -> bool {
        self.scope.checkpoints + checkpoints * self.scope.times <= self.scope.checkpoints_limit
            && self.scope.work + work * self.scope.times <= self.scope.work_limit
    }

    pub fn pays(&mut self, checkpoints: u32, work: u32) {
        self.scope.checkpoints += checkpoints * self.scope.times;
        self.scope.work += work * self.scope.times;
    }

    pub fn statements(&mut self, count: i64, nest: u32) {
        for _ in 0..count {
            self.statement(nest);
        }
    }

    pub fn statement(&mut self, nest: u32) {
        self.scope.calls = self.scope.leads && !self.scope.closed;
        self.pays(0, 1);
        let pick = self.random.below(100);
        match pick {
            0..=15 => self.assignment(),
            16..=20 => self.whole_arrays(),
            21..=25 => self.call_statement(),
            26..=31 if self.scope.leads && !self.scope.closed => self.checkpoint(),
            32..=33 => self.tick(),
            34..=36 if self.scope.leads && !self.scope.closed => self.together(Writer::execute_block),
            37..=40 => self.together(Writer::memory_statement),
            41..=43 => self.together(Writer::text_statement),
            44..=45 if self.scope.leads && !self.scope.closed => self.together(Writer::registers_again),
            46..=48 => self.together(Writer::file_statement),
            49..=50 => self.leave_loop(),
            51..=53 => self.mix(),
            54..=57 => self.logical_if(),
            58..=60 if self.scope.mpi => self.communicate(),
            61..=99 if nest > 0 => self.construct(nest - 1),
            _ => self.assignment(),
        }
        self.scope.calls = false;
    }

    pub fn assignment(&mut self) {
        let Some(v) = self.writable(|v| !matches!(v.base, Base::Derived(_))) else {
            return self.mix();
        };
        let place = self.element(&v);
        let value = self.value(v.base);
        self.put(format!("{place} = {value}"));
    }

    fn logical_if(&mut self) {
        let condition = self.logical(2);
        let Some(v) = self.writable(|v| !matches!(v.base, Base::Derived(_))) else { return };
        self.scope.calls &= self.random.chance(50);
        let place = self.element(&v);
        let value = self.value(v.base);
        self.put(format!("if ({condition}) {place} = {value}"));
    }

    pub fn mix(&mut self) {
        if self.scope.quiet {
            return;
        }
        if self.random.chance(4) {
            self.includes = true;
            return self.put("include 'part.inc'");
        }
        if self.random.chance(30) {
            let e = self.real(8, 1);
            self.put(format!("call mix_real({e})"));
        } else {
            let e = self.integer(2);
            self.put(format!("call mix({})", e.text));
        }
    }

    pub fn tick(&mut self) {
        self.put("call tick()");
    }

    pub fn checkpoint(&mut self) {
        if !self.affords(1, 1) {
            return self.assignment();
        }
        self.pays(1, 1);
        self.put("!$cppc checkpoint");
        if self.random.chance(70) {
            self.tick();
        }
    }

    /// Sections, whole arrays, WHERE, FORALL, array constructors.
    fn whole_arrays(&mut self) {
        let found =
            self.writable(|v| v.shape.rank() == 1 && matches!(v.base, Base::Integer(_) | Base::Real(_)));
        let Some(v) = found else { return self.assignment() };
        let form = self.random.below(7);
        // A call cannot be taken out of FORALL and WHERE, and the array may be an element whose subscript calls.
        let saved = self.scope.calls;
        self.scope.calls &= !matches!(form, 1 | 2);
        let name = self.placed(&v);
        self.scope.calls = saved;
        let kind = kind_of(v.base);
        let (low, high) = match &v.shape {
            Shape::Fixed(bounds) => (bounds[0].0.to_string(), bounds[0].1.to_string()),
            Shape::Counted(n) => ("1".to_owned(), n.clone()),
            _ => (format!("lbound({name}, 1)"), format!("ubound({name}, 1)")),
        };
        let whole = format!("{name}({low}:{high})");
        let bound = if matches!(v.base, Base::Integer(_)) {
            "97".to_owned() + &format!("_{kind}")
        } else {
            format!("97.0_{kind}")
        };
        let smaller = match v.base {
            Base::Integer(1) => format!("{name} / 3_1"),
            _ => name.clone(),
        };
        match form {
            0 => {
                let e = self.exact(v.base);
                let mean = if matches!(v.base, Base::Integer(1)) {
                    format!("{whole} = {e} / 2_1")
                } else {
                    format!("{whole} = mod({whole} + {e}, {bound})")
                };
                self.put(mean);
            }
            1 => {
                let saved = std::mem::replace(&mut self.scope.calls, false);
                let Some(counter) = self.scope.counters.pop() else { return };
                let e = self.value(v.base);
                let text = format!("forall ({counter} = {low}:{high}) {name}({counter}) = {e}");
                // The value may depend on the array itself: FORALL evaluates all values first.
                self.put(text);
                self.scope.counters.push(counter);
                self.scope.calls = saved;
            }
            2 => {
                let saved = std::mem::replace(&mut self.scope.calls, false);
                let e = self.value(v.base);
                let zero = if matches!(v.base, Base::Integer(_)) {
                    format!("3_{kind}")
                } else {
                    format!("3.0_{kind}")
                };
                if self.random.chance(50) {
                    self.put(format!("where ({whole} > {zero}) {whole} = {e}"));
                } else {
                    self.open(format!("where ({whole} > {zero})"));
                    self.put(format!("{whole} = {e}"));
                    self.middle("elsewhere");
                    self.put(format!("{whole} = -{whole}"));
                    self.close("end where");
                }
                self.scope.calls = saved;
            }
            3 => {
                let Some(counter) = self.scope.counters.pop() else { return };
                let scaled = match v.base {
                    Base::Integer(_) => format!("int(mod({counter} * 7, 50), {kind})"),
                    _ => format!("real({counter}, {kind}) * 0.5_{kind}"),
                };
                self.put(format!("{whole} = [({scaled}, {counter} = {low}, {high})]"));
                self.scope.counters.push(counter);
            }
            4 if self.random.chance(50) => self.put(format!("{whole} = cshift({whole}, 1)")),
            4 => {
                let Some(counter) = self.scope.counters.pop() else { return };
                let scaled = match v.base {
                    Base::Integer(_) => format!("int(mod({counter} * 5, 40), {kind})"),
                    _ => format!("real({counter}, {kind}) * 0.25_{kind}"),
                };
                self.open(format!("do concurrent ({counter} = {low}:{high})"));
                self.put(format!("{name}({counter}) = {scaled}"));
                self.close("end do");
                self.scope.counters.push(counter);
            }
            5 => {
                let e = self.value(v.base);
                let at = self.integer(1);
                self.put(format!("{name}({low} + modulo({}, {high} - ({low}) + 1):{high}) = {e}", at.text));
            }
            _ => match &v.shape {
                Shape::Counted(_) => self.assignment(),
                _ if matches!(v.base, Base::Integer(1)) => self.put(format!("{name} = {smaller} + 1_1")),
                _ => self.put(format!("{name} = mod({name} + {name}, {bound})")),
            },
        }
    }

    fn leave_loop(&mut self) {
        let loops: Vec<Loop> = self.scope.loops.clone();
        let Some(innermost) = loops.last() else {
            if self.scope.is_procedure && self.random.chance(50) {
                let condition = self.logical(1);
                return self.put(format!("if ({condition}) return"));
            }
            return self.mix();
        };
        let named: Vec<&Loop> = loops.iter().filter(|l| l.name.is_some()).collect();
        let chosen = if named.is_empty() || self.random.chance(40) {
            innermost.clone()
        } else {
            self.random.pick(&named).clone()
        };
        let word = if chosen.may_cycle && self.random.chance(55) { "cycle" } else { "exit" };
        let condition = self.logical(1);
        let name = chosen.name.map(|name| format!(" {name}")).unwrap_or_default();
        self.put(format!("if ({condition}) {word}{name}"));
    }

    /// Internal files.
    fn text_statement(&mut self) {
        let Some(v) = self.writable(|v| {
            matches!(v.base, Base::Character(n) if n >= 12) && v.shape == Shape::Scalar && v.holder == 0
        }) else {
            return self.assignment();
        };
        let e = self.integer(2);
        let r = self.real(8, 1);
        match self.random.below(3) {
            0 => self.put(format!("write ({}, '(i11)') {}", v.name, e.text)),
            1 => self.put(format!("write ({}, '(f12.4)') mod({r}, 1000.0_8)", v.name)),
            _ => {
                let Some(target) = self
                    .writable(|v| v.base == Base::Integer(4) && v.shape == Shape::Scalar && v.holder == 0)
                else {
                    return;
                };
                self.put(format!("write ({}, '(i11)') mod({}, 9901)", v.name, e.text));
                if self.random.chance(50) {
                    self.tick();
                }
                self.put(format!("read ({}, '(i11)') {}", v.name, target.name));
            }
        }
    }

    fn registers_again(&mut self) {
        let names = self.scope.registers.clone();
        if names.is_empty() || self.scope.times > 8 {
            return self.checkpoint();
        }
        let name = self.random.pick(&names).clone();
        if name.contains(['/', '%', '('])
            || !self.scope.variables.iter().any(|v| v.name == name && v.memory != Memory::Alias)
        {
            return self.checkpoint();
        }
        if self.random.chance(50) {
            self.put(format!("!$cppc unregister({name})"));
            self.tick();
        }
        self.put(format!("!$cppc register({name})"));
    }
}
