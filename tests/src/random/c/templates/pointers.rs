//! Groups of statements with local pointers.
//!
//! Input: the state of a body.
//! Output: nodes.
//! Postcondition: the same as that of `templates`.

use super::super::body::Body;
use super::super::scope::Variable;
use super::super::types::{constant, declare, Type, DOUBLE, INT, U64};
use crate::random::sample::Node;

impl Body<'_> {
    /// Procedures with execute blocks that get pointers as arguments. A restart repeats them when the
    /// pointers already have other values.
    pub(super) fn noted_pointers(&mut self) -> Option<Vec<Node>> {
        if !self.leads || self.room() < 8 {
            return None;
        }
        let element = Type::Scalar(self.random.pick(&[INT, DOUBLE, U64]));
        let key = self.draft.key();
        let number = self.draft.number();
        let pointer = |name: &str, structures: &_| declare(&element, &format!("*{name}"), structures);
        let structures = &self.draft.structures;
        let (line, at) =
            (declare(&element, &format!("line_{number}[5]"), structures), pointer("at", structures));
        let executed = |value: &str| {
            [
                "#pragma cppc execute capture(k)".to_owned(),
                format!("place_{number}[k] = {value};"),
                "tick();".to_owned(),
                "#pragma cppc end execute".to_owned(),
            ]
        };
        let mut head = vec![
            format!("static {line};"),
            format!("static u64 place_{number}[4];"),
            format!("struct hold_{number} {{ int n; {at}; }};"),
            format!("static void note_{number}({at}, int k) {{"),
        ];
        head.extend(executed(&format!("(u64)(at - line_{number}) + 1")));
        head.extend([
            "}".to_owned(),
            format!("static void store_{number}(struct hold_{number} h, int k) {{"),
        ]);
        head.extend(executed(&format!("(u64)(h.at - line_{number}) * 8 + (u64)h.n")));
        head.extend(["}".to_owned(), format!("static void pass_{number}({at}, int k) {{ note_{number}(at, k); note_{number}(at + 1, k ^ 1); }}")]);
        let mut variable =
            Variable::new(format!("place_{number}"), Type::Array(Box::new(Type::Scalar(U64)), 4));
        (variable.is_private, variable.is_constant, variable.key) = (false, true, key);
        let mut lines = vec![
            "{".to_owned(),
            format!("{} = line_{number} + {};", pointer("l_walk", structures), self.random.below(3)),
            format!(
                "{} = {{line_{number}, line_{number} + {}}};",
                declare(&element, "*l_rows[2]", structures),
                self.random.below(4)
            ),
            format!(
                "struct hold_{number} l_hold = {{{}, line_{number} + 3}}, *l_there = &l_hold;",
                self.random.below(3)
            ),
            format!("#pragma cppc register(line_{number})"),
        ];
        for _ in 0..2 + self.random.below(4) {
            let (k, row) = (self.random.below(4), self.random.below(2));
            lines.push(match self.random.below(8) {
                0 => format!("note_{number}(l_walk++, {k}); l_walk -= (l_walk == line_{number} + 4);"),
                1 => format!("pass_{number}(l_walk, {k}); l_walk = line_{number} + {};", self.random.below(4)),
                2 => format!("store_{number}(l_hold, {k}); l_hold.n = {};", self.random.below(8)),
                3 => format!("store_{number}(*l_there, {k}); l_hold.at = line_{number} + {};", self.random.below(5)),
                4 => format!("note_{number}(l_rows[{row}], {k}); l_rows[{row}] = line_{number} + {};", self.random.below(5)),
                5 => format!("note_{number}(l_there->at, {k});"),
                6 => format!("note_{number}(&l_walk[{row}], {k});"),
                _ => format!("pass_{number}({row} ? l_walk : l_rows[0] == line_{number} + 4 ? l_walk : l_rows[0], {k});"),
            });
        }
        lines.push("}".to_owned());
        let file = self.file;
        self.draft.files[file].head.push(Node::lines(head).key(key));
        self.draft.files[file].variables.push(variable.clone());
        self.scopes.declare_in_file(variable);
        self.spend(10);
        self.has_blocks = true;
        Some(vec![Node::lines(lines).key(key)])
    }

    /// A pointer that points to a pointer in an array.
    pub(super) fn pointer_to_pointer(&mut self) -> Option<Vec<Node>> {
        let found = self.addresses(&Type::Scalar(DOUBLE), 1, false, &|variable| {
            variable.is_target && !variable.is_constant
        });
        if found.is_empty() {
            return None;
        }
        let (inner, outer) = (self.fresh("inner"), self.fresh("outer"));
        let (first, second) = (self.random.pick(&found), self.random.pick(&found));
        let mut lines = vec![format!("double *{inner}[2] = {{{first}, {second}}}, **{outer} = {inner};")];
        if self.leads {
            self.has_blocks = true;
            lines.push(match self.random.chance(50) {
                true => format!("#pragma cppc register({inner}, {outer}[1])"),
                false => format!("#pragma cppc register({outer}[1], {inner})"),
            });
        }
        lines.extend(self.call_statement().remove(0).head);
        lines.push(format!("*{outer} = {second}; {outer} = &{inner}[1];"));
        lines.extend(self.call_statement().remove(0).head);
        lines.push(format!("**{outer} = {};", constant(DOUBLE, &mut self.random)));
        if self.leads {
            lines.push(format!("#pragma cppc unregister({inner}, {outer})"));
        }
        Some(vec![Node::lines(lines).key(self.draft.key())])
    }
}
