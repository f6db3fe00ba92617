//! Files that execute blocks open, and the output to them.

use super::world::{FileKind, Unit};
use super::Writer;

impl Writer {
    /// A file of the main program, opened by an execute block.
    pub fn declare_unit(&mut self) {
        let handle = self.name("u");
        let file = format!("{handle}.out");
        let kind = self.random.pick(&[
            FileKind::Formatted,
            FileKind::Unformatted,
            FileKind::Stream,
            FileKind::Direct,
            FileKind::Appended,
        ]);
        self.scope.declarations.push(format!("integer :: {handle}"));
        let how = match kind {
            FileKind::Formatted | FileKind::Appended => "form='formatted'",
            FileKind::Unformatted => "form='unformatted'",
            FileKind::Stream => "access='stream', form='unformatted'",
            FileKind::Direct => "access='direct', form='unformatted', recl=8",
        };
        let number = 20 + self.world.names % 60;
        let newunit = self.random.chance(50);
        let unit = if newunit { format!("newunit={handle}") } else { handle.clone() };
        let mut texts = Vec::new();
        if !newunit {
            texts.push("!$cppc execute".to_owned());
            texts.push(format!("{handle} = {number}"));
            texts.push("!$cppc end execute".to_owned());
        }
        let mut name = format!("'{file}'");
        if self.random.chance(30) {
            // The name is in a variable that is registered before.
            let variable = self.name("v");
            self.scope.declarations.push(format!("character(len=20) :: {variable}"));
            texts.push(format!("{variable} = {name}"));
            texts.push(format!("!$cppc register({variable})"));
            name = if self.random.chance(50) { format!("trim({variable})") } else { variable };
        }
        texts.push(format!("!$cppc execute file({handle}, {name})"));
        texts.push(format!("open ({unit}, file={name}, status='replace', {how})"));
        texts.push("!$cppc end execute".to_owned());
        if kind == FileKind::Appended {
            texts.push(format!("close ({handle})"));
        }
        if kind == FileKind::Direct {
            for record in 1..=4 {
                texts.push(format!("write ({handle}, rec={record}) {record}_8"));
            }
        }
        self.scope.initial.push(texts);
        self.files.push(file.clone());
        self.scope.units.push(Unit { handle, file, name, newunit, kind, records: 4 });
    }

    pub fn file_statement(&mut self) {
        if self.scope.units.is_empty() || self.scope.quiet {
            return self.assignment();
        }
        let unit = self.random.pick(&self.scope.units.clone()).clone();
        let e = self.integer(2);
        let u = &unit.handle;
        match unit.kind {
            FileKind::Formatted => match self.random.below(3) {
                0 => self.put(format!("write ({u}, '(i0)') {}", e.text)),
                1 => {
                    let r = self.real(8, 1);
                    self.put(format!("write ({u}, '(i0, 1x, es24.15)') {}, {r}", e.text));
                }
                _ => {
                    self.put(format!("write ({u}, '(i0, 1x)', advance='no') {}", e.text));
                    if self.random.chance(50) {
                        self.checkpoint_or_tick();
                    }
                    self.put(format!("write ({u}, '(a)') 'end'"));
                }
            },
            FileKind::Appended => self.append(&unit, &e.text),
            FileKind::Unformatted | FileKind::Stream => self.put(format!("write ({u}) {}", e.text)),
            FileKind::Direct => {
                let record = self.integer(1);
                self.put(format!(
                    "write ({u}, rec=1 + modulo({}, {})) int({}, 8)",
                    record.text, unit.records, e.text
                ));
            }
        }
    }

    /// Opens a log in a block, writes a line and closes it.
    fn append(&mut self, unit: &Unit, value: &str) {
        if !self.scope.leads || self.scope.closed {
            return self.assignment();
        }
        let u = &unit.handle;
        let number = if unit.newunit { format!("newunit={u}") } else { u.clone() };
        self.put(format!("!$cppc execute file({u}, {})", unit.name));
        self.put(format!("open ({number}, file={}, position='append', form='formatted')", unit.name));
        self.put("!$cppc end execute");
        if self.random.chance(30) {
            self.checkpoint();
        }
        self.put(format!("write ({u}, '(i0)') {value}"));
        self.put(format!("close ({u})"));
    }

    fn checkpoint_or_tick(&mut self) {
        if self.scope.leads && !self.scope.closed {
            self.checkpoint();
        } else {
            self.tick();
        }
    }
}
