//! Puts text that must be rewritten into the source, if it is in an included file of Fortran or in a macro of C.
//!
//! Input: the texts of the sources, and a translation of them with its diagnostics.
//! Output: a translation without these diagnostics, as far as that is possible, and its texts.
//! Postcondition: the texts mean the same to a compiler. Diagnostics about text that cannot be put in place remain.

use std::collections::BTreeSet;

use cppc_source::{Diagnostic, Files};

use super::{expanded, included, Front, Text, Unit};

/// Included files may include others.
const ROUNDS_LIMIT: usize = 16;

/// The result of a translation, or of its first stages.
pub trait Translated {
    fn parts(&self) -> (&Front, &Files, &[Diagnostic]);
}

/// `translation` is that of `texts`. `translate` is called with other texts.
///
/// # Errors
/// Those of `translate`.
pub fn put_in_place<T: Translated, E>(
    texts: &[Option<Text>],
    mut translation: T,
    translate: impl Fn(&[Option<Text>]) -> Result<T, E>,
) -> Result<T, E> {
    let mut texts = texts.to_vec();
    // Sources in which the expansions would mean something else than the macros.
    let mut unchanged: BTreeSet<usize> = BTreeSet::new();
    for _ in 0..ROUNDS_LIMIT {
        let (front, files, diagnostics) = translation.parts();
        let mut changed = texts.clone();
        let mut numbers = Vec::new();
        for (number, unit) in front.units.iter().enumerate().filter(|(number, _)| !unchanged.contains(number))
        {
            if let Some(text) = of_unit(unit, files, diagnostics) {
                changed[number] = Some(text);
                numbers.push(number);
            }
        }
        if numbers.is_empty() {
            break;
        }
        let next = translate(&changed)?;
        let (others, ..) = next.parts();
        numbers.retain(|&number| match (&front.units[number], &others.units[number]) {
            (Unit::C(one), Unit::C(other)) => !expanded::has_same_tokens(one, other),
            _ => false,
        });
        if numbers.is_empty() {
            texts = changed;
            translation = next;
        } else {
            unchanged.extend(numbers);
        }
    }
    Ok(translation)
}

fn of_unit(unit: &Unit, files: &Files, diagnostics: &[Diagnostic]) -> Option<Text> {
    match unit {
        Unit::C(unit) => expanded::in_place(unit, files, diagnostics),
        Unit::Fortran(unit) => {
            let bytes = included::in_place(unit, files, diagnostics)?;
            Some(Text { bytes, shown: None })
        }
    }
}
