//! The shape of a register.
//!
//! Input: a state file, or the user's choice.
//! Output: extents, the slowest in memory first, and the indices of elements in the notation of the program.
//! Postcondition: the product of the extents is the number of elements; a Fortran array is written with its
//! first index first.

use crate::value::Reader;
use anyhow::{bail, Result};
use cppc_abi::bits;
use cppc_abi::types::{CHARACTER, INTEGER_8};
use cppc_runtime::manifest::Register;
use cppc_runtime::verify::{read_part, Description, Verified};
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Empty for a single value.
    pub extents: Vec<u64>,
    /// The first index of each dimension.
    lower: Vec<i64>,
    pub is_fortran: bool,
}

/// The shapes of all registers of a file.
pub struct Shapes<'a> {
    description: &'a Verified<Description>,
    /// Registers with the bounds of others, by name. The scope and the section are checked later.
    bounds: HashMap<&'a str, Vec<usize>>,
}

const BOUNDS: &str = "(:)";
/// For one name.
const MOST_FRAMES: usize = 4096;

impl<'a> Shapes<'a> {
    pub fn new(description: &'a Verified<Description>) -> Shapes<'a> {
        let mut bounds: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, register) in description.manifest().registers.iter().enumerate() {
            if let Some(name) = register.name.strip_suffix(BOUNDS).filter(|_| register.type_code == INTEGER_8)
            {
                bounds.entry(name).or_default().push(index);
            }
        }
        bounds.retain(|_, registers| registers.len() <= MOST_FRAMES);
        Shapes { description, bounds }
    }

    /// The shape in the file of the register with this index.
    pub fn of(&self, index: usize, reader: &Reader) -> Shape {
        let register = &reader.manifest.registers[index];
        let is_fortran = reader.is_fortran(register.type_code);
        let first = if is_fortran { 1 } else { 0 };
        let (extents, lower) = match (self.bounds(register), reader.manifest.shape(index)) {
            (Some(bounds), _) => bounds,
            (None, Some(extents)) => (extents.to_vec(), vec![first; extents.len()]),
            (None, None) if register.count == 1 => (Vec::new(), Vec::new()),
            (None, None) => (vec![register.count], vec![first]),
        };
        Shape { extents, lower, is_fortran }
    }

    /// A followed array of Fortran has a second register with its bounds.
    fn bounds(&self, register: &Register) -> Option<(Vec<u64>, Vec<i64>)> {
        let description = self.description;
        let mut others = self
            .bounds
            .get(register.name.as_str())?
            .iter()
            .map(|&index| &description.manifest().registers[index]);
        let found =
            others.find(|other| other.scope == register.scope && other.section == register.section)?;
        let target =
            found.target.filter(|_| found.count <= MOST_BOUNDS && found.count % 2 == 0 && found.count > 0)?;
        let bytes =
            read_part(description, target.block as usize, target.offset_bytes, found.count as usize * 8)
                .ok()?;
        let big_endian = description.machine().big_endian;
        let bounds: Vec<i64> =
            bytes.chunks_exact(8).map(|bytes| bits::number(bytes, big_endian) as i64).collect();
        let (mut extents, mut lower) = (Vec::new(), Vec::new());
        for pair in bounds.chunks_exact(2).rev() {
            extents.push(if pair[1] < pair[0] { 0 } else { pair[1].abs_diff(pair[0]).checked_add(1)? });
            lower.push(pair[0]);
        }
        // A scalar has one pair, 1 and 1. Characters begin with the pair of their length.
        let is_single = bounds == [1, 1] && register.count == 1 && register.type_code != CHARACTER;
        let product = extents.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent))?;
        (product == register.count).then(|| if is_single { Default::default() } else { (extents, lower) })
    }
}

impl Shape {
    #[cfg(test)]
    pub fn new(extents: &[u64], is_fortran: bool) -> Shape {
        Shape { extents: extents.to_vec(), lower: vec![is_fortran.into(); extents.len()], is_fortran }
    }

    /// The first index of a dimension.
    pub fn lower(&self, dimension: usize) -> i64 {
        self.lower.get(dimension).copied().unwrap_or(0)
    }

    /// The shape that the user requested, in the order of the program's language.
    pub fn given(&self, extents: &[u64], count: u64) -> Result<Shape> {
        let product = extents.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent));
        if product != Some(count) {
            let said: Vec<String> = extents.iter().map(u64::to_string).collect();
            bail!("there are {count} elements, which {} are not", said.join("x"));
        }
        let mut extents = extents.to_vec();
        if self.is_fortran {
            extents.reverse();
        }
        let lower = vec![if self.is_fortran { 1 } else { 0 }; extents.len()];
        Ok(Shape { extents, lower, is_fortran: self.is_fortran })
    }

    /// In the order of the program's language, such as `[100][200]` or `(200,100)`; empty for a single value.
    pub fn text(&self) -> String {
        if self.is_fortran && !self.extents.is_empty() {
            let said = self.extents.iter().zip(&self.lower).rev().map(|(&extent, &lower)| match lower {
                1 => extent.to_string(),
                _ => format!("{lower}:{}", lower.saturating_add_unsigned(extent).saturating_sub(1)),
            });
            return format!("({})", said.collect::<Vec<_>>().join(","));
        }
        self.extents.iter().map(|extent| format!("[{extent}]")).collect()
    }

    /// The index of an element, counted from zero in memory, in the notation of the program.
    pub fn at(&self, element: u64) -> String {
        let mut rest = element;
        let mut indices: Vec<String> = Vec::new();
        for (&extent, &lower) in self.extents.iter().zip(&self.lower).rev() {
            indices.push(lower.saturating_add_unsigned(rest % extent.max(1)).to_string());
            rest /= extent.max(1);
        }
        if indices.is_empty() {
            String::new()
        } else if self.is_fortran {
            format!("({})", indices.join(","))
        } else {
            indices.iter().rev().map(|index| format!("[{index}]")).collect()
        }
    }
}

/// A shape that the user has given, in the order of the program's declaration.
#[derive(Debug, Clone)]
pub struct Extents(pub Vec<u64>);

impl Extents {
    pub fn parse(text: &str) -> Result<Extents, String> {
        parse(text).map(Extents)
    }

    /// The number of elements. `None` if it is too large for any array.
    pub fn count(&self) -> Option<u64> {
        self.0.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent))
    }
}

/// Parses the notation of the user: `100x200` or `100,200`.
fn parse(text: &str) -> Result<Vec<u64>, String> {
    let extents: Option<Vec<u64>> = text
        .split(['x', ',', '*'])
        .map(|part| part.trim().parse().ok().filter(|&extent| extent > 0))
        .collect();
    extents.ok_or_else(|| format!("`{text}` is no shape; write for example 100x200"))
}

const MOST_BOUNDS: u64 = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(extents: &[u64], lower: &[i64], is_fortran: bool) -> Shape {
        Shape { extents: extents.to_vec(), lower: lower.to_vec(), is_fortran }
    }

    #[test]
    fn shapes_and_places_are_spelled_as_the_language_has_them() {
        let c = shape(&[3, 4], &[0, 0], false);
        assert_eq!((c.text().as_str(), c.at(0).as_str(), c.at(6).as_str()), ("[3][4]", "[0][0]", "[1][2]"));
        let fortran = shape(&[3, 4], &[1, 1], true);
        assert_eq!(
            (fortran.text().as_str(), fortran.at(0).as_str(), fortran.at(6).as_str()),
            ("(4,3)", "(1,1)", "(3,2)")
        );
        let odd = shape(&[3, 4], &[1, -2], true);
        assert_eq!((odd.text().as_str(), odd.at(0).as_str()), ("(-2:1,3)", "(-2,1)"));
        assert_eq!((shape(&[], &[], true).text().as_str(), shape(&[], &[], false).at(0).as_str()), ("", ""));
        assert_eq!(shape(&[0], &[0], false).at(5), "[0]");
    }

    #[test]
    fn a_given_shape_must_fit() {
        assert_eq!(parse("100x200"), Ok(vec![100, 200]));
        assert_eq!(parse("2,3,4"), Ok(vec![2, 3, 4]));
        assert!(parse("0x3").is_err() && parse("x").is_err() && parse("-1").is_err() && parse("").is_err());
        let flat = shape(&[12], &[1], true);
        assert_eq!(flat.given(&[4, 3], 12).unwrap(), shape(&[3, 4], &[1, 1], true));
        assert!(flat.given(&[4, 4], 12).is_err());
        assert!(flat.given(&[u64::MAX, u64::MAX], 12).is_err());
    }
}
