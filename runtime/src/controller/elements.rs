//! Registers of elements whose subscripts are computed: `rows[k]`, registered in a loop.
//!
//! In: a name with a place for each such subscript (`[]` in C, `?` in Fortran), and the subscripts. Out: in a replay, the
//! recorded ones. Holds afterwards: the next register of this name is that of the element, `rows[3]` or `rows(3)`.

use super::Controller;

/// What the program has said last.
#[derive(Debug)]
pub struct Element {
    pattern: String,
    name: String,
}

/// The elements that are left of those that the program asks for one by one.
#[derive(Debug, Default)]
pub struct Round {
    pattern: String,
    /// The next one is the last.
    left: Vec<(String, Vec<i64>)>,
}

/// The place of a subscript in a name: with the brackets around it, or by itself.
const BRACKETS: &str = "[]";
const MARK: &str = "?";

/// How many subscripts a name has places for.
pub fn places_in(pattern: &str) -> usize {
    pattern.matches(BRACKETS).count() + pattern.matches(MARK).count()
}

/// What is before the first place, how it is written, and what is behind.
fn first_place(pattern: &str) -> Option<(&str, &'static str, &str)> {
    let at = |place: &'static str| pattern.find(place).map(|at| (at, place));
    let (at, place) = [at(BRACKETS), at(MARK)].into_iter().flatten().min()?;
    Some((&pattern[..at], place, &pattern[at + place.len()..]))
}

impl Controller {
    /// Whether the block under way is repeated from the plan, so that what it computes is not what it was.
    pub fn replays(&self) -> bool {
        let Some(resumption) = &self.resumption else { return false };
        !(resumption.replay.is_by_trial() || self.frames.is_free())
    }

    /// The register that follows is that of the element with these subscripts. In a replay they become the recorded
    /// ones. Returns whether there is something to register.
    pub fn element(&mut self, pattern: &str, subscripts: &mut [i64]) -> bool {
        if !self.replays() {
            let name = filled(pattern, subscripts);
            let is_wanted = self.wants(&name);
            self.element = Some(Element { pattern: pattern.to_owned(), name });
            return is_wanted;
        }
        let Some(resumption) = &self.resumption else { return false };
        let candidates = resumption.replay.registers().unwrap_or_default();
        let fits = |name: &str| read(pattern, name).filter(|found| found.len() == subscripts.len());
        let Some((name, found)) = resumption.delivery.next_of(candidates, fits) else { return false };
        subscripts.copy_from_slice(&found);
        self.element = Some(Element { pattern: pattern.to_owned(), name });
        true
    }

    /// The next of the registers that the procedure means by the elements of this name, until there is none: its
    /// subscripts, and it is spoken of until the next call.
    pub fn next_element(&mut self, pattern: &str, subscripts: &mut [i64]) -> bool {
        let mut round = match self.round.take() {
            Some(round) if round.pattern == pattern => round,
            _ => self.round_of(pattern, subscripts.len()),
        };
        let Some((name, found)) = round.left.pop() else { return false };
        subscripts.copy_from_slice(&found);
        self.element = Some(Element { pattern: pattern.to_owned(), name });
        self.round = Some(round);
        true
    }

    fn round_of(&self, pattern: &str, places: usize) -> Round {
        let named = self.table.live().filter_map(|(id, register)| {
            let name = self.names.text(register.name);
            let found = read(pattern, name).filter(|found| found.len() == places)?;
            (self.around(register.name) == Some(id)).then(|| (name.to_owned(), found))
        });
        let mut left: Vec<_> = named.collect();
        left.reverse();
        Round { pattern: pattern.to_owned(), left }
    }

    /// The name of the element, when this is the name that `element` was told.
    pub(super) fn element_name(&self, name: &str) -> Option<String> {
        let element = self.element.as_ref().filter(|element| element.pattern == name)?;
        Some(element.name.clone())
    }
}

fn filled(pattern: &str, subscripts: &[i64]) -> String {
    let (mut name, mut rest) = (String::new(), pattern);
    for subscript in subscripts {
        let Some((before, place, behind)) = first_place(rest) else { break };
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
    while let Some((before, place, behind)) = first_place(pattern) {
        rest = rest.strip_prefix(before)?;
        rest = if place == BRACKETS { rest.strip_prefix('[')? } else { rest };
        let end = rest.find(|character: char| character != '-' && !character.is_ascii_digit()).unwrap_or(rest.len());
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
            assert_eq!(places_in(pattern), subscripts.len());
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
