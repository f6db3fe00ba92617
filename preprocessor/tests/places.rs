//! Positions in the original: `--dump` of every stage in both languages, and the lines that a compiler
//! reports for a translated Fortran source.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FIXED: &str = "      PROGRAM P
      IMPLICIT NONE
      INTEGER I
      REAL*8 U(10)
C$CPPC INIT
C$CPPC REGISTER(U)
      DO 10 I = 1,
C     a comment between
     &   10
C$CPPC CHECKPOINT
        U(I) = 1
 10   CONTINUE
      UNKNOWN = 3
      END
";
const FREE: &str = "program p
  implicit none
  integer :: i
  real(8) :: u(10)
!$cppc init
!$cppc register(u)
  do i = 1, &
    ! a comment between
    10
!$cppc checkpoint
    u(i) = 1
  end do
  unknown = 3
end program p
";
const C: &str = "int main(void)
{
    int i = 0;
#pragma cppc init
#pragma cppc register(i)
#pragma cppc checkpoint
    return i;
}
";

fn place(name: &str, text: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("places");
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn cppc_pp(options: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cppc-pp")).args(options).arg(path).output().unwrap()
}

/// The compiler reports the error in the line of the original.
#[test]
fn compilers_speak_of_the_lines_of_the_original() {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fortran-bindings/include");
    for (name, text) in [("said.f", FIXED), ("said.f90", FREE)] {
        let source = place(name, text);
        let translated = place(&format!("translated-{name}"), "");
        let to = translated.to_str().unwrap();
        let done = cppc_pp(&["--line-markers", "-o", to], &source);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let compiled = Command::new("gfortran")
            .arg("-fsyntax-only")
            .arg("-I")
            .arg(&include)
            .arg(&translated)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(said.contains(&format!("{}:13:", source.display())), "{said}");
        assert!(!said.contains("translated-"), "{said}");
    }
}

#[test]
fn every_stage_can_be_seen_in_both_languages() {
    let valid = FREE.replace("  unknown = 3\n", "");
    for source in [place("seen.f90", &valid), place("seen.c", C)] {
        for stage in ["tokens", "tree", "model", "facts", "plan"] {
            let shown = cppc_pp(&[&format!("--dump={stage}")], &source);
            assert!(shown.status.success(), "{stage} {}", source.display());
            assert!(!shown.stdout.trim_ascii().is_empty(), "{stage} {}", source.display());
        }
    }
    let facts = cppc_pp(&["--dump=facts"], &place("facts.f90", &valid));
    let facts = String::from_utf8(facts.stdout).unwrap();
    assert!(facts.contains("  u: variable, real(8), rank 1, registered\n"), "{facts}");
}
