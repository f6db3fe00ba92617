//! Arrays as pictures: the values of the pixels, and the files that are not overwritten.

use crate::fixture::{cppc, dump, dumped, manifest, memory, path_text, Scratch};
use cppc_runtime::manifest::{Field, Shape, StructType};
use cppc_runtime::settings::Compression;
use std::collections::BTreeSet;
use std::path::Path;

/// The colours of a picture, row by row.
fn pixels(path: &Path) -> (usize, Vec<[u8; 3]>) {
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    (info.width as usize, bytes.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect())
}

const NOT_A_NUMBER: [u8; 3] = [235, 20, 20];
const INK: [u8; 3] = [32, 32, 32];
/// The pixels of a colour in the legend.
const SWATCH: usize = 12 * 12;

/// The upper left pixel within the first frame: below a horizontal line of ink.
fn corner(width: usize, found: &[[u8; 3]]) -> (usize, usize) {
    let line = found.chunks(width).enumerate().find_map(|(y, row)| {
        let x = row.windows(40).position(|pixels| pixels.iter().all(|&pixel| pixel == INK))?;
        Some((x, y))
    });
    let (x, y) = line.expect("there is no frame");
    (x + 1, y + 1)
}

/// A plane of 40 by 50, with some changes.
fn plane(scratch: &Scratch, change: impl FnOnce(&mut [f64])) {
    let mut values: Vec<f64> = (0..2000).map(f64::from).collect();
    change(&mut values);
    let mut content = memory(0, 1);
    content[1] = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    let mut with = manifest(0, 1, 1);
    with.shapes = vec![Shape { register: 1, extents: vec![40, 50] }];
    dump(&scratch.0, with, &content);
}

fn plot(scratch: &Scratch, more: &[&str]) -> anyhow::Result<(usize, Vec<[u8; 3]>)> {
    let output = scratch.0.join("out.png");
    let words: Vec<&str> =
        ["show", path_text(&scratch.0), "--plot", path_text(&output)].iter().chain(more).copied().collect();
    let (said, good) = cppc(&words)?;
    assert!(good && said.contains("is drawn in"), "{said}");
    Ok(pixels(&output))
}

#[test]
fn a_plane_goes_from_dark_above_to_light_below() {
    let scratch = Scratch::new("plane");
    plane(&scratch, |_| {});
    let (width, found) = plot(&scratch, &[]).unwrap();
    let at = |x: usize, y: usize| found[y * width + x];
    let light = |pixel: [u8; 3]| pixel.iter().map(|&part| u32::from(part)).sum::<u32>();
    // 16 pixels for each element.
    let (left, top) = corner(width, &found);
    assert!(
        light(at(left, top)) < light(at(left + 799, top + 639)),
        "{:?} {:?}",
        at(left, top),
        at(left + 799, top + 639)
    );
    assert_eq!(at(left + 16, top + 15), at(left + 31, top));
    assert_ne!(at(left, top + 16), at(left, top));
    let upwards = plot(&scratch, &["--upwards"]).unwrap().1;
    assert_eq!(upwards[(top + 639) * width + left], at(left, top));
    let colours: BTreeSet<[u8; 3]> = found.iter().copied().collect();
    assert!(colours.len() > 100 && !colours.contains(&NOT_A_NUMBER));
}

#[test]
fn one_wrong_value_is_seen() {
    let scratch = Scratch::new("nan");
    plane(&scratch, |values| values[777] = f64::NAN);
    let count = |found: &[[u8; 3]]| found.iter().filter(|&&pixel| pixel == NOT_A_NUMBER).count();
    assert_eq!(count(&plot(&scratch, &[]).unwrap().1), 16 * 16 + SWATCH);
    // Also if many elements share a pixel, and in a line.
    let (_, line) = plot(&scratch, &["--shape", "2000"]).unwrap();
    assert!(count(&line) > 300);
    let (_, narrow) = plot(&scratch, &["--shape", "1x2000"]).unwrap();
    assert!(count(&narrow) > SWATCH);
    plane(&scratch, |values| values.fill(f64::NAN));
    assert!(count(&plot(&scratch, &[]).unwrap().1) > 1000);
    plane(&scratch, |values| values.fill(7.0));
    plot(&scratch, &["--log"]).unwrap();
    plane(&scratch, |values| (values[0], values[1]) = (f64::MAX, -f64::MAX));
    plot(&scratch, &[]).unwrap();
    plane(&scratch, |values| values.fill(-1.0));
    assert!(plot(&scratch, &["--log"]).unwrap_err().to_string().contains("no logarithm"));
}

#[test]
fn slices_are_cut_and_what_cannot_be_drawn_is_said() {
    let scratch = Scratch::new("slice");
    plane(&scratch, |_| {});
    let (_, middle) = plot(&scratch, &["--shape", "4x10x50"]).unwrap();
    let (_, same) = plot(&scratch, &["--shape", "4x10x50", "--slice", "2,:,:"]).unwrap();
    assert!(middle == same);
    assert!(
        plot(&scratch, &["--shape", "4x10x50", "--slice", "1,:,:", "--range", "0:2000"]).unwrap().1 != same
    );
    let refused = |more: &[&str], part: &str| {
        let error = plot(&scratch, more).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refused(&["--slice", "9,:,:"], "has 2 dimensions");
    refused(&["--shape", "3x3"], "there are 2000 elements");
    refused(&["-n", "title*"], "no number that could be drawn");
    refused(&["-n", "none"], "no register is named `none`");
    refused(&["-n", "n"], "single value");
    let (said, _) =
        cppc(&["show", path_text(&scratch.0), "-n", "u", "--plot", path_text(&scratch.0.join("u.png"))])
            .unwrap();
    assert!(said.starts_with("u is drawn in"), "{said}");
}

#[test]
fn nothing_but_a_picture_is_overwritten() {
    let scratch = Scratch::new("over");
    plane(&scratch, |_| {});
    let state = scratch.line(0, 1);
    let before = std::fs::read(&state).unwrap();
    assert!(cppc(&["show", path_text(&scratch.0), "--plot", path_text(&state)])
        .unwrap_err()
        .to_string()
        .contains("is not a picture"));
    assert!(std::fs::read(&state).unwrap() == before);
    let link = scratch.0.join("out.png");
    std::os::unix::fs::symlink(&state, &link).unwrap();
    assert!(plot(&scratch, &[]).is_err());
    assert!(std::fs::read(&state).unwrap() == before);
    // A symbolic link to a picture, a pipe or a device is not replaced, and opening a pipe does not block.
    let (picture, pipe) = (scratch.0.join("kept.png"), scratch.0.join("pipe"));
    let plotted = |output: &Path| cppc(&["show", path_text(&scratch.0), "--plot", path_text(output)]);
    assert!(plotted(&picture).unwrap().1);
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&picture, &link).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let kinds = || [&pipe, &link].map(|path| std::fs::symlink_metadata(path).unwrap().file_type());
    let found = kinds();
    for (output, what) in [(&pipe, "is a pipe, and only a file is replaced"), (&link, "is a symbolic link")] {
        let error = plotted(output).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    assert_eq!(found, kinds());
    let error = plotted(&scratch.0.join("no/such.png")).unwrap_err().to_string();
    assert!(error.starts_with("there is no directory"), "{error}");
}

#[test]
fn a_field_of_structures_is_drawn() {
    let scratch = Scratch::new("field");
    let field = |name: &str, offset_bytes, type_code, count| Field {
        name: name.to_owned(),
        offset_bytes,
        type_code,
        count,
    };
    let mut with = manifest(0, 1, 1);
    with.types.push(StructType {
        name: "cell".into(),
        size_bytes: 40,
        fields: vec![field("id", 0, 6, 1), field("v", 8, 21, 3), field("t", 32, 21, 1)],
    });
    with.registers[1].type_code = 1000;
    with.registers[1].element_bytes = 40;
    with.registers[1].count = 400;
    with.shapes = vec![Shape { register: 1, extents: vec![20, 20] }];
    let mut content = memory(0, 1);
    for (number, cell) in content[1].chunks_exact_mut(40).enumerate() {
        cell[..4].copy_from_slice(&(number as i32).to_le_bytes());
        cell[32..].copy_from_slice(&f64::NAN.to_le_bytes());
    }
    dump(&scratch.0, with, &content);
    let (_, found) = plot(&scratch, &["--field", "id"]).unwrap();
    assert!(!found.contains(&NOT_A_NUMBER) && found.iter().collect::<BTreeSet<_>>().len() > 100);
    assert!(plot(&scratch, &["--field", ".t"]).unwrap().1.contains(&NOT_A_NUMBER));
    for (more, part) in [
        (&["-n", "u", "--field", "v"][..], "an array in each element"),
        (&["-n", "u"], ".id, .v, .t"),
        (&["-n", "u", "--field", "x"], ".id, .v, .t"),
    ] {
        let error = plot(&scratch, more).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// Two processes with 2000 values each.
fn two_ranks(scratch: &Scratch) {
    dumped(&scratch.0, 2, 1, Compression::None, None);
}

#[test]
fn the_parts_of_all_processes_are_tiles_with_one_scale() {
    let scratch = Scratch::new("tiles");
    two_ranks(&scratch);
    let shape = ["-n", "u", "--shape", "40x50", "--rank", "all", "--columns"];
    let tiled =
        |columns: &str, more: &[&str]| plot(&scratch, &[&shape[..], &[columns], more].concat()).unwrap();
    let (width, side_by_side) = tiled("2", &[]);
    let (left, top) = corner(width, &side_by_side);
    let row = &side_by_side[(top - 1) * width..top * width];
    // Each tile has a frame.
    let frames = row.split(|&pixel| pixel != INK).filter(|run| run.len() > 100).count();
    assert_eq!(frames, 2);
    // The values of rank 1 are larger by 0.5 than those of rank 0, of about 1000. So the first elements differ less than
    // the first and the last one of a tile.
    let second = left + row[left..].iter().position(|&pixel| pixel != INK).unwrap();
    let second = second + row[second..].iter().position(|&pixel| pixel == INK).unwrap() + 1;
    let at = |x: usize, y: usize| side_by_side[y * width + x].map(i32::from);
    let distance = |a: [i32; 3], b: [i32; 3]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<i32>();
    assert!(distance(at(left, top), at(second, top)) < 10);
    assert!(distance(at(left, top), at(left + 200, top + 200)) > 50);
    let (narrow, below_each_other) = tiled("1", &[]);
    assert!(narrow < width && below_each_other.len() / narrow > side_by_side.len() / width);
    // One process is drawn as before.
    let (one, _) = plot(&scratch, &["-n", "u", "--shape", "40x50", "--rank", "1"]).unwrap();
    assert!(one > 800);
}

#[test]
fn lines_of_several_processes_are_tiles() {
    let scratch = Scratch::new("lines");
    two_ranks(&scratch);
    let (width, found) = plot(&scratch, &["-n", "u", "--rank", "0,1", "--columns", "1"]).unwrap();
    let frames = found
        .chunks(width)
        .filter(|row| row.windows(300).any(|pixels| pixels.iter().all(|&pixel| pixel == INK)))
        .count();
    // The upper and the lower edge of two frames.
    assert_eq!(frames, 4);
}
