//! What `h5dump` and h5py show of a state file: names, types, shapes and values of the program's variables.

mod support;

use cppc_abi::types;
use cppc_runtime::manifest::Kind;
use cppc_runtime::settings::Compression;
use serde_json::{json, Value};
use std::path::Path;
use std::process::Command;
use support::{dump, python, Zoo};

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn h5dump_shows_types_and_values() {
    let scratch = tempfile::tempdir().unwrap();
    let zoo = Zoo::full();
    let path = dump(scratch.path(), Compression::Deflate(1), &zoo.manifest, &zoo.blocks).unwrap();
    let shown = |dataset: &str| output(Command::new("h5dump").args(["-d", dataset]).arg(&path));
    let in_solve = |name: &str| shown(&format!("/section-2/solve.1/{name}"));
    for (name, wanted) in [
        ("i", vec!["H5T_STD_I32LE", "SCALAR", "-7"]),
        ("grid", vec!["H5T_IEEE_F64LE", "( 1000 ) / ( 1000 )", "499.5"]),
        (
            "wide",
            vec!["H5T_COMPOUND", "H5T_STD_U64LE \"low\"", "H5T_STD_U64LE \"high\"", "506097522914230528"],
        ),
        ("quad", vec!["128-bit little-endian floating-point", "1"]),
        ("extended", vec!["80-bit precision", "3"]),
        ("wave", vec!["H5T_COMPOUND", "\"r\"", "\"i\"", "1.5"]),
        ("title", vec!["STRSIZE 10", "H5T_STR_NULLPAD", "a title"]),
        ("word", vec!["H5T_STR_SPACEPAD", "fortran name"]),
        ("yes", vec!["H5T_ENUM", "TRUE, FALSE, TRUE"]),
        ("raw", vec!["0xab, 0xcd"]),
        ("particles", vec!["\"id\"", "H5T_ARRAY { [2] H5T_COMPOUND", "STRSIZE 4", "H5T_STD_B64LE \"next\""]),
        ("middle", vec!["( 10 ) / ( 10 )", "5, 5.5, 6", "ATTRIBUTE \"pointer\""]),
        ("beyond", vec!["( 60 ) / ( 60 )", "499, 499.5, 0, 0.5"]),
        ("same", vec!["( 1000 ) / ( 1000 )", "499.5"]),
        ("nothing", vec!["NULL"]),
    ] {
        let text = in_solve(name);
        for wanted in wanted {
            assert!(text.contains(wanted), "{name} lacks `{wanted}`:\n{text}");
        }
    }
    let text = output(Command::new("h5dump").arg("-A").arg(&path));
    for wanted in
        ["\"application\"", "\"zoo\"", "\"1: init\", \"2: call of solve\"", "\"host\"", "GROUP \"section-2\""]
    {
        assert!(text.contains(wanted), "lacks `{wanted}`");
    }
}

const SCRIPT: &str = r#"
import h5py, json, numpy, sys
found = {}
def look(name, thing):
    if not isinstance(thing, h5py.Dataset) or not name.startswith("section"):
        return
    attributes = {key: v.decode() if isinstance(v, bytes) else str(numpy.asarray(v)) for key, v in thing.attrs.items()}
    found[name] = ["unreadable", None, None, attributes]
    try:
        dtype = str(thing.dtype) if thing.dtype.names is None else sorted(thing.dtype.names)
        value = None
        if thing.shape is not None and thing.size <= 60 and thing.dtype.names is None:
            value = [str(one) for one in numpy.asarray(thing[()]).flatten()]
        found[name] = [dtype, list(thing.shape) if thing.shape is not None else None, value, attributes]
    except (ValueError, TypeError):
        pass
with h5py.File(sys.argv[1], "r") as file:
    file.visititems(look)
    found["attributes"] = {key: v.decode() if isinstance(v, bytes) else int(v) for key, v in file.attrs.items() if key != "plan"}
    found["sum"] = float(file["section-2/solve.1/grid"][()].sum())
    found["same"] = list(file["section-2/solve.1/same"].shape)
    found["id"] = int(file["section-2/solve.1/particles"]["id"][1])
    found["wide"] = hex((int(file["section-2/solve.1/wide"]["high"]) << 64) + int(file["section-2/solve.1/wide"]["low"]))
print(json.dumps(found))
"#;

fn by_python(path: &Path) -> Value {
    serde_json::from_str(&output(Command::new(python()).args(["-c", SCRIPT]).arg(path))).unwrap()
}

#[test]
fn h5py_shows_names_types_shapes_and_values() {
    for compress in [Compression::None, Compression::Deflate(9)] {
        let scratch = tempfile::tempdir().unwrap();
        let zoo = Zoo::full();
        let path = dump(scratch.path(), compress, &zoo.manifest, &zoo.blocks).unwrap();
        let found = by_python(&path);
        for (name, dtype, shape, value) in [
            ("solve.1/i", json!("int32"), json!([]), json!(["-7"])),
            ("solve.1/i~2", json!("int32"), json!([]), json!(["8"])),
            ("program/global_ints", json!("int32"), json!([6]), json!(["0", "1", "4", "9", "16", "25"])),
            ("solve.1/grid", json!("float64"), json!([1000]), json!(null)),
            ("solve.1/bytes", json!("uint8"), json!([2]), json!(["200", "3"])),
            ("solve.1/half", json!("float16"), json!([2]), json!(["1.5", "-2.0"])),
            ("solve.1/single", json!("float32"), json!([]), json!(["1.25"])),
            ("solve.1/yes", json!("bool"), json!([3]), json!(["True", "False", "True"])),
            ("solve.1/flags", json!("bool"), json!([2]), json!(["True", "False"])),
            (
                "solve.1/wave",
                json!("complex128"),
                json!([4]),
                json!(["0.5j", "(1+1.5j)", "(2+2.5j)", "(3+3.5j)"]),
            ),
            ("solve.1/title", json!("|S10"), json!([]), json!(["b'a title\\x00\\x00\\xff'"])),
            ("solve.1/s->name%2Fof 100%%7E", json!("int32"), json!([]), json!(["5"])),
            ("solve.1/wide", json!(["high", "low"]), json!([]), json!(null)),
            ("solve.1/particles", json!(["id", "in", "next"]), json!([3]), json!(null)),
            (
                "solve.1/empty structure",
                json!("|V4"),
                json!([2]),
                json!(["b'\\x09\\x09\\x09\\x09'", "b'\\x09\\x09\\x09\\x09'"]),
            ),
            ("solve.1/nothing", json!("float64"), json!(null), json!(null)),
            (
                "solve.1/middle",
                json!("float64"),
                json!([10]),
                json!(["5.0", "5.5", "6.0", "6.5", "7.0", "7.5", "8.0", "8.5", "9.0", "9.5"]),
            ),
        ] {
            let there = &found[format!("section-2/{name}")];
            assert_eq!((&there[0], &there[1], &there[2]), (&dtype, &shape, &value), "{name}");
        }
        assert_eq!(found["section-2/solve.1/extended"][2], json!(["3.0"]));
        assert_eq!(
            found["section-2/solve.1/beyond"][2].as_array().unwrap()[9..12],
            [json!("499.5"), json!("0.0"), json!("0.5")]
        );
        assert_eq!(
            found["section-2/solve.1/middle"][3],
            json!({"type": "double", "count": "10", "block": "2", "offset": "80", "pointer": "to this"})
        );
        assert_eq!(found["section-2/solve.1/as_bytes"][3]["shares"], json!("[b'/section-2/solve.1/grid']"));
        assert_eq!(found["sum"], json!(249_750.0));
        assert_eq!(found["same"], json!([1000]));
        assert_eq!(found["wide"], json!("0xf0e0d0c0b0a09080706050403020100"));
        assert_eq!(found["id"], json!(i32::from_le_bytes([240, 245, 250, 255])));
        let said = &found["attributes"];
        assert_eq!(
            (&said["application"], &said["line"], &said["rank"], &said["processes"]),
            (&json!("zoo"), &json!(3), &json!(1), &json!(2))
        );
        assert_eq!(said["format"], json!("CPPC state in HDF5, version 1"));
    }
}

const SHAPES: &str = r#"
import h5py, json, numpy, sys
found = {}
with h5py.File(sys.argv[1], "r") as file:
    group = file["section-2/solve.1"]
    for name in group:
        thing = group[name]
        values = numpy.asarray(thing[()]).tolist() if thing.dtype.names is None else numpy.asarray(thing[()])["id"].tolist()
        found[name] = [list(thing.shape), bool(thing.is_virtual), repr(values)]
print(json.dumps(found))
"#;

/// The numbers from `first` on, as Python shows an array of these extents.
fn nested(first: &mut i64, extents: &[i64]) -> String {
    let Some((rows, inner)) = extents.split_first() else {
        *first += 1;
        return format!("{}", *first - 1);
    };
    let rows: Vec<String> = (0..*rows).map(|_| nested(first, inner)).collect();
    format!("[{}]", rows.join(", "))
}

/// Arrays with shapes, names for parts of them with other shapes, texts, structures.
fn shaped() -> Zoo {
    let mut zoo = Zoo::default();
    zoo.manifest.types =
        vec![support::structure("cell", 8, &[("id", 0, types::INT, 1), ("x", 4, types::FLOAT, 1)])];
    let numbers = |count: i32| (0..count).flat_map(i32::to_ne_bytes).collect::<Vec<u8>>();
    let plane = zoo.add("plane", types::INT, 4, numbers(2400));
    zoo.shape(&[40, 60]);
    zoo.add("cube", types::INT, 4, numbers(24));
    zoo.shape(&[2, 3, 4]);
    zoo.add("words", types::CHARACTER, 1, b"one  two  threefour five six  ".to_vec());
    zoo.shape(&[2, 3, 5]);
    zoo.add("names", types::CHAR, 1, b"ab\0\0cdef".to_vec());
    zoo.shape(&[2, 4]);
    zoo.add(
        "cells",
        1000,
        8,
        (0..6i32).flat_map(|at| [at.to_ne_bytes(), 1f32.to_ne_bytes()].concat()).collect(),
    );
    zoo.shape(&[3, 2]);
    zoo.name("same", types::INT, 4, 2400, Some((plane, 0)), Kind::Pointer);
    zoo.shape(&[40, 60]);
    zoo.name("flat", types::INT, 4, 2400, Some((plane, 0)), Kind::Pointer);
    zoo.name("tall", types::INT, 4, 240, Some((plane, 240)), Kind::Pointer);
    zoo.shape(&[120, 2]);
    zoo.name("part", types::INT, 4, 130, Some((plane, 50 * 4)), Kind::Pointer);
    zoo.name("one", types::INT, 4, 1, Some((plane, 77 * 4)), Kind::Memory);
    zoo
}

#[test]
fn arrays_have_their_shapes_and_parts_of_them_theirs() {
    for compress in [Compression::None, Compression::Deflate(1)] {
        let scratch = tempfile::tempdir().unwrap();
        let zoo = shaped();
        let path = dump(scratch.path(), compress, &zoo.manifest, &zoo.blocks).unwrap();
        support::assert_same(&support::open(&path).unwrap(), &zoo.manifest, &zoo.blocks);
        let found: Value =
            serde_json::from_str(&output(Command::new(python()).args(["-c", SHAPES]).arg(&path))).unwrap();
        for (name, first, extents, is_virtual) in [
            ("plane", 0, &[40, 60][..], false),
            ("cube", 0, &[2, 3, 4], false),
            ("cells", 0, &[3, 2], false),
            ("same", 0, &[40, 60], false),
            ("flat", 0, &[2400], true),
            ("tall", 60, &[120, 2], true),
            ("part", 50, &[130], true),
            ("one", 77, &[1], true),
        ] {
            let values = nested(&mut first.to_owned(), extents);
            assert_eq!(found[name], json!([extents, is_virtual, values]), "{name}");
        }
        assert_eq!(
            found["words"],
            json!([[2, 3], false, "[[b'one', b'two', b'three'], [b'four', b'five', b'six']]"])
        );
        assert_eq!(found["names"], json!([[2], false, "[b'ab', b'cdef']"]));
        let shown = output(Command::new("h5dump").args(["-d", "/section-2/solve.1/plane"]).arg(&path));
        assert!(
            shown.contains("( 40, 60 ) / ( 40, 60 )")
                && shown.contains("(39,55): 2395, 2396, 2397, 2398, 2399"),
            "{shown}"
        );
    }
}
