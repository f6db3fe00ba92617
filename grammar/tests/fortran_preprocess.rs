//! Compares the preprocessing of Fortran with the compiler: a source, and the output of `gfortran -cpp -E`
//! for it read without preprocessing, have the same logical lines.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::{LineKind, Lines};
use cppc_source::Files;

const COMPILER: &str = "gfortran";

#[test]
fn fixtures_are_preprocessed_as_by_the_compiler() {
    if !has_compiler() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran_lines");
    for name in ["macros.F90", "macros.F"] {
        let path = folder.join(name);
        let bytes = std::fs::read(&path).expect("a fixture");
        let first = String::from_utf8_lossy(&bytes).lines().next().unwrap_or_default().to_owned();
        let flags = first.split_once("flags:").map_or("", |(_, flags)| flags);
        let flags: Vec<OsString> = flags.split_whitespace().map(OsString::from).collect();
        let told = preprocessed(&path, &flags).expect("a source that the compiler takes");
        compare(&path, &bytes, &told, &flags);
    }
}

#[test]
fn made_up_sources_are_preprocessed_as_by_the_compiler() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a directory");
    let mut compared = 0u64;
    let most = std::env::var("CPPC_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(12);
    for seed in 1..=most {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let fixed = dice.roll(2) == 0;
        let path = folder.path().join(if fixed { "made.F" } else { "made.F90" });
        let text = made_up(&mut dice, fixed);
        std::fs::write(&path, &text).expect("a file");
        // Sources that the compiler rejects are not compared.
        if let Some(told) = preprocessed(&path, &[]) {
            compare(&path, text.as_bytes(), &told, &[]);
            compared += 1;
        }
    }
    assert!(compared * 3 > most, "{compared} were taken by the compiler");
}

fn has_compiler() -> bool {
    let runs = Command::new(COMPILER).arg("--version").output().is_ok();
    if !runs {
        println!("no {COMPILER} here: nothing is compared");
    }
    runs
}

fn preprocessed(path: &Path, flags: &[OsString]) -> Option<Vec<u8>> {
    let output = Command::new(COMPILER).args(flags).args(["-cpp", "-E"]).arg(path).output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn compare(path: &Path, bytes: &[u8], told: &[u8], flags: &[OsString]) {
    let ours = texts(path, bytes, flags);
    let mut after: Vec<OsString> = flags.to_vec();
    after.push("-nocpp".into());
    let theirs = texts(path, told, &after);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs, "{}:\n{}", path.display(), String::from_utf8_lossy(bytes));
    }
    assert_eq!(ours.len(), theirs.len(), "{}:\n{}", path.display(), String::from_utf8_lossy(bytes));
}

fn texts(path: &Path, bytes: &[u8], flags: &[OsString]) -> Vec<String> {
    let mut files = Files::new();
    let main = files.add(path, bytes);
    let options = Options::of(path, flags);
    let lines: Lines = read(&mut files, main, &options);
    let texts = lines.lines.iter().map(|line| {
        let label = line.label.map_or(0, |label| label.value);
        let kind = if line.kind == LineKind::Directive { "$" } else { "" };
        format!("{label}|{kind}{}", line.text.escape_ascii())
    });
    texts.collect()
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len())]
    }
}

/// Macros with the number of their parameters. The body of a macro uses only macros after it, because
/// gfortran rejects macros that use themselves.
const MACROS: [(&str, &str, &str); 6] = [
    ("EF", "(x, y)", "EF(a, CD(y))"),
    ("CD", "(x)", "CD (AB)"),
    ("GH", "(x)", "GH((1, 2))"),
    ("J2", "(x)", "J2('x')"),
    ("AB", "", "AB"),
    ("_I", "", "_I"),
];

/// Lines that use and define macros, inside conditionals.
fn made_up(dice: &mut Dice, fixed: bool) -> String {
    let margin = if fixed { "      " } else { "" };
    let mut text = String::new();
    let mut open = 0;
    for _ in 0..60 {
        let index = dice.roll(MACROS.len());
        let (name, parameters, _) = MACROS[index];
        let line = match dice.roll(14) {
            0 | 1 => format!("#define {name}{parameters} {}", words(dice, 4, index + 1)),
            2 => format!("# define {name}{parameters} x /* x */ {}/**/ y", words(dice, 2, index + 1)),
            3 => format!("#undef {name}"),
            4 | 5 => {
                open += 1;
                let operator = dice.pick(&["&&", "||", "==", "<", "+"]);
                match dice.roll(4) {
                    0 => format!("#ifdef {name}"),
                    1 => format!("#ifndef {name} /* so */"),
                    2 => format!("#if defined({name}) {operator} defined CD"),
                    _ => format!("#if {} {operator} 1", dice.pick(&["0", "1", "2", "!NONE", "(3 - 3)"])),
                }
            }
            6 if open > 0 => {
                open -= 1;
                format!("#else\n{margin}{}\n#endif", words(dice, 2, 0))
            }
            7 if open > 0 => {
                open -= 1;
                format!("#elif defined(AB)\n{margin}{}\n#endif", words(dice, 2, 0))
            }
            8 => format!("{}{}", if fixed { "C " } else { "! " }, words(dice, 4, 0)),
            9 if fixed => format!("{margin}{}\n     &{}", words(dice, 3, 0), words(dice, 3, 0)),
            9 => format!("{} &\n  & {}", words(dice, 3, 0), words(dice, 3, 0)),
            10 => format!("{margin}{} ! {}", words(dice, 2, 0), words(dice, 2, 0)),
            11 => format!("{margin}{}\\\n{}", words(dice, 2, 0), words(dice, 2, 0)),
            _ => format!("{margin}{}", words(dice, 5, 0)),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(&"#endif\n".repeat(open));
    text
}

/// Some words, and uses of the macros from index `from` on.
fn words(dice: &mut Dice, most: usize, from: usize) -> String {
    let mut text = String::from("w");
    for _ in 0..=dice.roll(most) {
        text.push_str(dice.pick(&[" ", "", ", ", " + ", " // "]));
        let used = from + dice.roll(2 * MACROS.len());
        text.push_str(MACROS.get(used).map_or("", |&(_, _, used)| used));
        let others =
            ["x", "y", "'AB'", "\"x y\"", "'it''s'", "1", "2.", "3", "AB_", "/* CD */", "(x)", "a;b"];
        text.push_str(dice.pick(&others));
    }
    // A macro at the end of a line makes gfortran ignore a `#` on the next line.
    text.push_str(" z");
    text
}
