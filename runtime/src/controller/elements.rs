//! Registers of elements whose subscripts are computed: `rows[k]`, registered in a loop.
//!
//! In: a name with `[]` for each such subscript, and the subscripts. Out: in a replay, the recorded ones. Holds
//! afterwards: the next register of this name is that of the element, `rows[3]`.

use super::Controller;

/// What the program has said last.
#[derive(Debug)]
pub struct Element {
    pattern: String,
    name: String,
}

/// The place of a subscript in a name.
const PLACE: &str = "[]";

/// How many subscripts a name has places for.
pub fn places_in(pattern: &str) -> usize {
    pattern.matches(PLACE).count()
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

    /// The name of the element, when this is the name that `element` was told.
    pub(super) fn element_name(&self, name: &str) -> Option<String> {
        let element = self.element.as_ref().filter(|element| element.pattern == name)?;
        Some(element.name.clone())
    }
}

fn filled(pattern: &str, subscripts: &[i64]) -> String {
    let mut parts = pattern.split(PLACE);
    let mut name = parts.next().unwrap_or_default().to_owned();
    for (part, subscript) in parts.zip(subscripts) {
        name.push_str(&format!("[{subscript}]{part}"));
    }
    name
}

/// The subscripts in a name that was made from the pattern.
fn read(pattern: &str, name: &str) -> Option<Vec<i64>> {
    let mut parts = pattern.split(PLACE);
    let mut rest = name.strip_prefix(parts.next()?)?;
    let mut subscripts = Vec::new();
    for part in parts {
        let (subscript, after) = rest.strip_prefix('[')?.split_once(']')?;
        subscripts.push(subscript.parse().ok()?);
        rest = after.strip_prefix(part)?;
    }
    rest.is_empty().then_some(subscripts)
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
    }
}
