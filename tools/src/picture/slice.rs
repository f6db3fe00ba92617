//! Which two dimensions of an array are drawn.
//!
//! Input: a shape, and indices for the other dimensions.
//! Output: the positions of the elements of the plane.
//! Postcondition: each of them is in the array.

use crate::shape::Shape;
use anyhow::{bail, Result};

/// For each dimension, in the order of the program: an index, or `None` if it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice(Vec<Option<i64>>);

impl Slice {
    /// `5,:,:`, or in Fortran `:,:,5`.
    pub fn parse(text: &str) -> Result<Slice, String> {
        let part = |part: &str| match part.trim() {
            ":" | "*" => Some(None),
            index => index.parse().ok().map(Some),
        };
        let parts: Option<Vec<Option<i64>>> =
            text.trim_matches(['[', ']', '(', ')']).split(',').map(part).collect();
        parts.map(Slice).ok_or_else(|| format!("`{text}` is not a slice: write for example 5,:,:"))
    }
}

/// The elements `first + row * row_stride + column * column_stride`.
#[derive(Debug, PartialEq, Eq)]
pub struct Plane {
    pub first: u64,
    pub rows: u64,
    pub row_stride: u64,
    pub columns: u64,
    pub column_stride: u64,
    /// The indices of the first and the last row; `None` for one dimension.
    pub row_bounds: Option<(i64, i64)>,
    pub column_bounds: (i64, i64),
    /// The slice in the notation of the program; empty if everything is drawn.
    pub text: String,
}

/// By default the two fastest dimensions, and the middle of the others.
pub fn plane(shape: &Shape, slice: Option<&Slice>) -> Result<Plane> {
    let rank = shape.extents.len();
    if rank == 0 || shape.extents.contains(&0) {
        bail!("there is nothing to draw in a single value or an empty array");
    }
    let mut fixed = fixed(shape, slice)?;
    let seen: Vec<usize> = (0..rank).filter(|&dimension| fixed[dimension].is_none()).collect();
    let (row, column) = match seen[..] {
        [column] => (None, column),
        [row, column] => (Some(row), column),
        _ => bail!("a picture has one or two dimensions, and {} were left open", seen.len()),
    };
    let mut strides = vec![1u64; rank];
    for dimension in (0..rank.saturating_sub(1)).rev() {
        strides[dimension] = strides[dimension + 1] * shape.extents[dimension + 1];
    }
    let first = (0..rank).map(|dimension| fixed[dimension].unwrap_or(0) * strides[dimension]).sum();
    let bounds = |dimension: usize| {
        (shape.lower(dimension), shape.lower(dimension).saturating_add_unsigned(shape.extents[dimension] - 1))
    };
    let text = if seen.len() == rank { String::new() } else { notation(shape, &mut fixed) };
    Ok(Plane {
        first,
        rows: row.map_or(1, |row| shape.extents[row]),
        row_stride: row.map_or(0, |row| strides[row]),
        columns: shape.extents[column],
        column_stride: strides[column],
        row_bounds: row.map(bounds),
        column_bounds: bounds(column),
        text,
    })
}

/// For each dimension, the slowest first, its index counted from zero; `None` if it is drawn.
fn fixed(shape: &Shape, slice: Option<&Slice>) -> Result<Vec<Option<u64>>> {
    let rank = shape.extents.len();
    let Some(Slice(given)) = slice else {
        let middle = |dimension: usize| (dimension + 2 < rank).then(|| shape.extents[dimension] / 2);
        return Ok((0..rank).map(middle).collect());
    };
    if given.len() != rank {
        bail!("the array is {} and has {rank} dimensions, the slice {}", shape.text(), given.len());
    }
    let mut given = given.clone();
    if shape.is_fortran {
        given.reverse();
    }
    let place = |(dimension, index): (usize, &Option<i64>)| match index {
        None => Ok(None),
        Some(index) => {
            let place = index.checked_sub(shape.lower(dimension)).and_then(|place| u64::try_from(place).ok());
            match place.filter(|&place| place < shape.extents[dimension]) {
                Some(place) => Ok(Some(place)),
                None => bail!("there is no index {index} in {}", shape.text()),
            }
        }
    };
    given.iter().enumerate().map(place).collect()
}

fn notation(shape: &Shape, fixed: &mut [Option<u64>]) -> String {
    let index = |(dimension, place): (usize, &Option<u64>)| {
        place
            .map_or(":".to_owned(), |place| shape.lower(dimension).saturating_add_unsigned(place).to_string())
    };
    let mut indices: Vec<String> = fixed.iter().enumerate().map(index).collect();
    if shape.is_fortran {
        indices.reverse();
        return format!("({})", indices.join(","));
    }
    indices.iter().map(|index| format!("[{index}]")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(shape: &Shape, slice: Option<&str>) -> Result<Plane> {
        plane(shape, slice.map(|text| Slice::parse(text).unwrap()).as_ref())
    }

    #[test]
    fn planes_are_cut_out_of_arrays_in_the_order_of_the_language() {
        let c = Shape::new(&[3, 4, 5], false);
        let middle = found(&c, None).unwrap();
        assert_eq!(
            (middle.first, middle.rows, middle.columns, middle.text.as_str()),
            (20, 4, 5, "[1][:][:]")
        );
        let other = found(&c, Some(":,2,:")).unwrap();
        assert_eq!(
            (other.first, other.rows, other.row_stride, other.columns, other.column_stride),
            (10, 3, 20, 5, 1)
        );
        let upright = found(&c, Some(":,:,4")).unwrap();
        assert_eq!((upright.first, upright.row_stride, upright.column_stride), (4, 20, 5));
        let line = found(&c, Some("0,:,1")).unwrap();
        assert_eq!((line.rows, line.columns, line.column_stride, line.row_bounds), (1, 4, 5, None));
        let fortran = Shape::new(&[3, 4, 5], true);
        assert_eq!(found(&fortran, Some("(:,:,2)")).unwrap().text, "(:,:,2)");
        assert_eq!(found(&fortran, Some(":,:,2")).unwrap().first, 20);
        for wrong in [":,:", "3,:,:", "-1,:,:", ":,:,:", "1,1,1"] {
            assert!(found(&c, Some(wrong)).is_err(), "{wrong}");
        }
        assert!(found(&Shape::new(&[], false), None).is_err());
        assert!(found(&Shape::new(&[3, 0], false), None).is_err());
        assert!(Slice::parse("a,:").is_err());
    }
}
