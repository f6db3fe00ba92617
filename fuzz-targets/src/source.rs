//! Sources through the whole translation.
//!
//! Properties: there is a text or an error; a source without directives comes out byte for byte.

use cppc_preprocessor::driver::{translate, Added, Automatic, Check, Request, Unknown, Warnings};
use cppc_preprocessor::front::Source;
use cppc_preprocessor::spell::c::Dispatch;

/// A source in C.
pub fn c(bytes: &[u8]) {
    translated("fuzzed.c", bytes);
}

pub fn fortran_free(bytes: &[u8]) {
    translated("fuzzed.f90", bytes);
}

pub fn fortran_fixed(bytes: &[u8]) {
    translated("fuzzed.f", bytes);
}

/// The text after `#pragma cppc`, in a program with declarations that it may name.
pub fn directive_c(bytes: &[u8]) {
    let before = "struct part { int n; double *values; struct part *next; int rows[3][4]; };\n\
                  int main(void)\n{\n    int i = 0, n = 3;\n    double a[4][5], *p = 0;\n    struct part s = { 0 }, *q = &s;\n\
                  #pragma cppc init\n#pragma cppc ";
    let after = "\n    n += i;\n#pragma cppc checkpoint\n#pragma cppc end execute\n#pragma cppc shutdown\n    return n;\n}\n";
    translated("fuzzed.c", &[before.as_bytes(), bytes, after.as_bytes()].concat());
}

/// The text after `!$cppc`.
pub fn directive_fortran(bytes: &[u8]) {
    let before = "program p\n  implicit none\n  type part\n    integer :: n\n    real, allocatable :: values(:)\n  end type\n\
                  integer :: i, n\n  real :: a(4,5)\n  real, pointer :: q(:)\n  type(part) :: s(3)\n  common /c/ i\n!$cppc init\n!$cppc ";
    let after = "\n  n = n + i\n!$cppc checkpoint\n!$cppc end execute\n!$cppc shutdown\nend program p\n";
    translated("fuzzed.f90", &[before.as_bytes(), bytes, after.as_bytes()].concat());
}

fn translated(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a directory for temporary files");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a temporary file");
    let request = Request {
        compiler: "cc".into(),
        // Starting a compiler takes longer than the translation. Without one, the usual answers of gfortran are used.
        fortran_compiler: "no-compiler".into(),
        sources: vec![Source { path, flags: Vec::new() }],
        dispatch: Dispatch::default(),
        line_markers: bytes.len() % 2 == 0,
        whole: bytes.len() % 3 != 0,
        is_library: bytes.len() % 2 != 0,
        check: if bytes.len() % 5 == 0 { Check::None } else { Check::Live },
        automatic: match bytes.len() % 14 {
            0 => Automatic::Add(Added::All),
            7 => Automatic::Add(Added::Others),
            _ => Automatic::AsWritten,
        },
        unknown: if bytes.len() % 11 == 0 { Unknown::Stop } else { Unknown::Live },
        warnings: if bytes.len() % 13 == 0 { Warnings::All } else { Warnings::Usual },
        catalogues: Vec::new(),
        ranks: Vec::new(),
    };
    let outcome = translate(&request).expect("the source can be read, the compiler asked");
    assert_eq!(outcome.outputs.len(), usize::from(!outcome.has_errors()), "there is a text or an error");
    for diagnostic in &outcome.diagnostics {
        assert!(
            !diagnostic.render(&outcome.files, false).is_empty()
                && !diagnostic.render_json(&outcome.files).is_empty()
        );
    }
    let lower = bytes.to_ascii_lowercase();
    let holds = |word: &[u8]| lower.windows(word.len()).any(|found| found == word);
    let may_change = holds(b"cppc") || holds(b"cccp") || request.automatic.has_checkpoints();
    if let (Some(written), false) = (outcome.outputs.first(), may_change) {
        assert!(written.text == bytes, "a source without directives has been changed");
    }
}
