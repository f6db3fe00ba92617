//! A long Fortran program in an old style: many subroutines, few COMMON blocks, fixed form.
//!
//! Input: the number of lines.
//! Output: a text with at least that many lines.
//! Postcondition: every third subroutine has directives. Each subroutine calls two others, so the main program reaches all of
//! them, and the calls are not nested deeper than in real programs.

use std::fmt::Write;

/// The text. It can be compiled without other files.
pub fn text(lines: usize) -> String {
    let (mut count, mut length) = (0, 0);
    while length < lines {
        count += 1;
        length += subroutine(count, usize::MAX).lines().count();
    }
    let parts: String = (1..=count).map(|number| subroutine(number, count)).collect();
    format!("{MAIN}{parts}{LAST}")
}

const MAIN: &str = "      PROGRAM LONG
C$CPPC INIT
      CALL S00001(1)
C$CPPC SHUTDOWN
      END
";

const LAST: &str = "
      SUBROUTINE STOPIT(N)
      INTEGER N
      N = N
      END
";

/// One of `count` subroutines.
fn subroutine(number: usize, count: usize) -> String {
    let callee = |number: usize| match number <= count {
        true => format!("S{number:05}"),
        false => "STOPIT".to_owned(),
    };
    let (next, other) = (callee(2 * number), callee(2 * number + 1));
    let mut text = String::new();
    let _ = write!(
        &mut text,
        "
C     Part {number} of the model: moves the fields on by one step and
C     notes how much they changed.
      SUBROUTINE S{number:05}(LEVEL)
      INTEGER LEVEL, I, J, K, NSTEP, LIMIT
      REAL*8 WORK(20, 10), CHANGE, OLD, DAMP(10)
      LOGICAL DONE
      CHARACTER*8 TITLE
      INTEGER NX, NY
      PARAMETER (NX = 20, NY = 10)
      REAL*8 FIELD, FLUX
      COMMON /STATE/ FIELD(NX, NY), FLUX(NX, NY), NSTEP
      DATA TITLE /'PART{number:04}'/
      LIMIT = 3
      CHANGE = 0.0D0
      DONE = .FALSE.
"
    );
    if number % 3 == 0 {
        text.push_str("C$CPPC REGISTER(WORK, CHANGE, DONE, NSTEP,\nC$CPPC&  FIELD)\n");
    }
    text.push_str(
        "      DO 40 K = 1, LIMIT
        IF (DONE) GOTO 50
        DO 20 J = 2, NY - 1
        DO 10 I = 2, NX - 1
          OLD = FIELD(I, J)
          WORK(I, J) = 0.25D0 * (FIELD(I - 1, J) + FIELD(I + 1, J)
     &      + FIELD(I, J - 1) + FIELD(I, J + 1)) + DAMP(J) * OLD
          IF (ABS(WORK(I, J) - OLD) .GT. CHANGE) THEN
            CHANGE = ABS(WORK(I, J) - OLD)
          ELSE IF (MOD(I + J, 7) .EQ. 0) THEN
            FLUX(I, J) = FLUX(I, J) + SIN(OLD) * COS(WORK(I, J)) ** 2
          END IF
   10   CONTINUE
   20   CONTINUE
",
    );
    if number % 3 == 0 {
        text.push_str("C$CPPC CHECKPOINT\n");
    }
    let _ = write!(
        &mut text,
        "        IF (K .EQ. LEVEL) CALL {next}(LEVEL + 1)
        IF (K .EQ. LEVEL + 1) CALL {other}(LEVEL + 1)
        DONE = CHANGE .LT. 1.0D-6 .AND. NSTEP .GT. 10
   40 CONTINUE
   50 NSTEP = NSTEP + 1
      IF (DONE) WRITE (*, 900) TITLE, NSTEP, CHANGE
  900 FORMAT (1X, A8, I6, 2X, E14.6)
      RETURN
      END
"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_long_as_it_was_asked_to_be() {
        let lines = text(2000).lines().count();
        assert!((2000..2100).contains(&lines), "{lines}");
    }
}
