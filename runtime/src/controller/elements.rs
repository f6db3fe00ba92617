//! Registers of elements whose subscripts are computed, such as `rows[k]` registered in a loop.
//!
//! Input: a name with a placeholder for each such subscript (`[]` in C, `?` in Fortran), and the subscripts.
//! Output: in a replay, the recorded subscripts.
//! Postcondition: the next register of this name is that of the element, `rows[3]` or `rows(3)`.

use super::Controller;
use crate::register::RegisterScope;

/// The element that the program selected last.
#[derive(Debug)]
pub struct Element {
    pattern: String,
    name: String,
}

/// The elements that remain of those that the program requests one by one.
#[derive(Debug, Default)]
pub struct RemainingElements {
    pattern: String,
    /// The last one is returned next.
    left: Vec<(String, Vec<i64>)>,
}

/// The two placeholders for a subscript. In C the brackets belong to the placeholder, in Fortran they do not.
const BRACKETS: &str = "[]";
const QUESTION_MARK: &str = "?";

/// The number of placeholders in a name.
pub fn count_placeholders(pattern: &str) -> usize {
    pattern.matches(BRACKETS).count() + pattern.matches(QUESTION_MARK).count()
}

/// The text before the first placeholder, the placeholder, and the text behind it.
fn first_placeholder(pattern: &str) -> Option<(&str, &'static str, &str)> {
    let at = |place: &'static str| pattern.find(place).map(|at| (at, place));
    let (at, place) = [at(BRACKETS), at(QUESTION_MARK)].into_iter().flatten().min()?;
    Some((&pattern[..at], place, &pattern[at + place.len()..]))
}

impl Controller {
    /// Whether the current block is replayed from the plan. Values that it computes then differ from those of
    /// the first run.
    pub fn replays(&self) -> bool {
        let Some(resumption) = &self.resumption else { return false };
        !(resumption.replay.is_unnumbered() || self.frames.is_unrecorded())
    }

    /// The next register is that of the element with these subscripts. In a replay, replaces them by the
    /// recorded ones. Returns whether there is an element to register.
    pub fn element(&mut self, pattern: &str, subscripts: &mut [i64]) -> bool {
        if !self.replays() {
            let name = filled(pattern, subscripts);
            let is_wanted = self.needs(&name);
            self.directive.element = Some(Element { pattern: pattern.to_owned(), name });
            return is_wanted;
        }
        let Some(resumption) = &self.resumption else { return false };
        let candidates = resumption.replay.registers().unwrap_or_default();
        let fits = |name: &str| read(pattern, name).filter(|found| found.len() == subscripts.len());
        let Some((name, found)) = resumption.delivery.next_of(candidates, fits) else { return false };
        subscripts.copy_from_slice(&found);
        self.directive.element = Some(Element { pattern: pattern.to_owned(), name });
        true
    }

    /// The next calls with this name mean the element with these subscripts, also in a replay.
    pub fn select_element(&mut self, pattern: &str, subscripts: &[i64]) {
        let name = filled(pattern, subscripts);
        self.directive.element = Some(Element { pattern: pattern.to_owned(), name });
    }

    /// Selects the next of the registers that the procedure refers to by the elements of this name, and
    /// returns its subscripts. Returns false if none is left. The element stays selected until the next call.
    pub fn next_element(&mut self, pattern: &str, subscripts: &mut [i64]) -> bool {
        let mut round = match self.directive.remaining_elements.take() {
            Some(round) if round.pattern == pattern => round,
            _ => self.remaining_of(pattern, subscripts.len()),
        };
        let Some((name, found)) = round.left.pop() else { return false };
        subscripts.copy_from_slice(&found);
        self.directive.element = Some(Element { pattern: pattern.to_owned(), name });
        self.directive.remaining_elements = Some(round);
        true
    }

    fn remaining_of(&self, pattern: &str, places: usize) -> RemainingElements {
        let named = self.registers.table.live().filter_map(|(id, register)| {
            let name = self.registers.names.text(register.name);
            let found = read(pattern, name).filter(|found| found.len() == places)?;
            (self.visible_register(register.name) == Some(id)).then(|| (name.to_owned(), found))
        });
        let mut left: Vec<_> = named.collect();
        left.reverse();
        RemainingElements { pattern: pattern.to_owned(), left }
    }

    /// Ends the registers of all elements with this pattern in a scope.
    pub(super) fn end_elements(&mut self, scope: RegisterScope, pattern: &str) {
        let live = self.registers.table.live().filter(|(_, register)| register.scope == scope);
        let names = &self.registers.names;
        let found = live.filter(|(_, register)| read(pattern, names.text(register.name)).is_some());
        let found: Vec<_> = found.map(|(id, _)| id).collect();
        found.into_iter().for_each(|id| self.registers.table.end(id));
    }

    /// The name of the element, if `name` is the pattern that was passed to `element`.
    pub(super) fn element_name(&self, name: &str) -> Option<String> {
        let element = self.directive.element.as_ref().filter(|element| element.pattern == name)?;
        Some(element.name.clone())
    }
}

fn filled(pattern: &str, subscripts: &[i64]) -> String {
    let (mut name, mut rest) = (String::new(), pattern);
    for subscript in subscripts {
        let Some((before, place, behind)) = first_placeholder(rest) else { break };
        name.push_str(before);
        name.push_str(&if place == BRACKETS { format!("[{subscript}]") } else { subscript.to_string() });
        rest = behind;
    }
    name + rest
}

/// The subscripts in a name that was made from the pattern.
fn read(pattern: &str, name: &str) -> Option<Vec<i64>> {
    let (mut pattern, mut rest) = (pattern, name);
    let mut subscripts = Vec::new();
    while let Some((before, place, behind)) = first_placeholder(pattern) {
        rest = rest.strip_prefix(before)?;
        rest = if place == BRACKETS { rest.strip_prefix('[')? } else { rest };
        let end = rest
            .find(|character: char| character != '-' && !character.is_ascii_digit())
            .unwrap_or(rest.len());
        subscripts.push(rest[..end].parse().ok()?);
        rest = if place == BRACKETS { rest[end..].strip_prefix(']')? } else { &rest[end..] };
        pattern = behind;
    }
    (rest == pattern).then_some(subscripts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_read_again() {
        for (pattern, subscripts, name) in [
            ("rows[]", &[3][..], "rows[3]"),
            ("a.c:b[][].u[2]", &[0, -17], "a.c:b[0][-17].u[2]"),
            ("p->x[].2", &[i64::MIN], "p->x[-9223372036854775808].2"),
            ("grid%tiles(?,?)%u(1)%v(?)", &[-2, 14, 0], "grid%tiles(-2,14)%u(1)%v(0)"),
        ] {
            assert_eq!(filled(pattern, subscripts), name);
            assert_eq!(read(pattern, name).as_deref(), Some(subscripts));
            assert_eq!(count_placeholders(pattern), subscripts.len());
        }
    }

    #[test]
    fn names_of_others_are_not_read() {
        for name in ["row[3]", "rows[3", "rows[x]", "rows[3]x", "rows[3][4]", "rows", ""] {
            assert_eq!(read("rows[]", name), None, "{name}");
        }
        for name in ["rows(3)", "rows(3)%v(:)", "rows(x)%v", "rows(3,4)%v", "rows()%v", "rows(3)%vv"] {
            assert_eq!(read("rows(?)%v", name), None, "{name}");
        }
    }
}
