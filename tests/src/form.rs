//! The forms in which a program is built for the matrix.
//!
//! Input: a program.
//! Output: its forms. The form that users get by default is the first.
//! Postcondition: every returned form has an installed compiler.

use std::fmt;
use std::process::Command;
use std::sync::OnceLock;

use crate::program::{Language, Mpi, Program};

/// The form of dispatch in translated C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    Switch,
    Computed,
}

/// The compiler for the main language of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    C,
    Gfortran,
    Flang,
}

/// One way to build a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    pub compiler: Compiler,
    pub dispatch: Dispatch,
    /// `-O0` or `-O3`.
    pub optimisation: &'static str,
}

/// The forms of programs in C.
const C_FORMS: [Form; 4] = [
    Form { compiler: Compiler::C, dispatch: Dispatch::Switch, optimisation: "-O3" },
    Form { compiler: Compiler::C, dispatch: Dispatch::Switch, optimisation: "-O0" },
    Form { compiler: Compiler::C, dispatch: Dispatch::Computed, optimisation: "-O3" },
    Form { compiler: Compiler::C, dispatch: Dispatch::Computed, optimisation: "-O0" },
];

/// The forms of programs that contain Fortran.
const FORTRAN_FORMS: [Form; 4] = [
    Form { compiler: Compiler::Gfortran, dispatch: Dispatch::Switch, optimisation: "-O3" },
    Form { compiler: Compiler::Gfortran, dispatch: Dispatch::Switch, optimisation: "-O2" },
    Form { compiler: Compiler::Gfortran, dispatch: Dispatch::Switch, optimisation: "-O0" },
    Form { compiler: Compiler::Flang, dispatch: Dispatch::Switch, optimisation: "-O2" },
];

impl Form {
    /// The form that users get by default.
    pub fn first(program: &Program) -> Form {
        match program.language {
            Language::C => C_FORMS[0],
            Language::Fortran => FORTRAN_FORMS[0],
        }
    }

    /// The form that users get by default, and one of the others. The choice depends on the name of the program, so that it
    /// does not change if programs are added.
    pub fn first_and_another(program: &Program) -> Vec<Form> {
        let mut forms = Form::all(program);
        if forms.len() > 2 {
            let letters = program.name.bytes().map(usize::from);
            let other = 1 + letters.fold(0, |sum, letter| sum * 31 % 8191 + letter) % (forms.len() - 1);
            forms = vec![forms[0], forms[other]];
        }
        forms
    }

    pub fn all(program: &Program) -> Vec<Form> {
        let forms = match program.language {
            Language::C => C_FORMS,
            Language::Fortran => FORTRAN_FORMS,
        };
        let is_wanted = |form: &Form| match form.compiler {
            Compiler::C | Compiler::Gfortran => true,
            Compiler::Flang => !program.only_gfortran && flang().is_some(),
        };
        forms.into_iter().filter(is_wanted).collect()
    }
}

impl Compiler {
    /// The compiler command for this language: that of MPI if the program has several processes.
    pub fn command(self, program: &Program, language: Language) -> Command {
        let words = self.words(program, language);
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        self.choose(&mut command);
        command
    }

    /// The value for `CPPC_CC` and `CPPC_FC`. `choose` sets the compiler that the MPI command calls.
    pub fn words(self, program: &Program, language: Language) -> Vec<&'static str> {
        let flang = flang().filter(|_| self == Compiler::Flang);
        vec![match (language, program.processes, program.mpi) {
            (Language::C, None, _) => "cc",
            (Language::C, Some(_), Mpi::Default) => "mpicc",
            (Language::C, Some(_), Mpi::Mpich) => "mpicc.mpich",
            (Language::Fortran, None, _) => flang.unwrap_or("gfortran"),
            (Language::Fortran, Some(_), Mpi::Default) => "mpifort",
            (Language::Fortran, Some(_), Mpi::Mpich) => "mpifort.mpich",
        }]
    }

    /// Sets the compiler that the MPI commands call.
    pub fn choose(self, command: &mut Command) {
        if let Some(flang) = flang().filter(|_| self == Compiler::Flang) {
            command.env("OMPI_FC", flang).env("MPICH_FC", flang);
        }
    }
}

/// LLVM's Fortran compiler, under one of its names.
fn flang() -> Option<&'static str> {
    static FOUND: OnceLock<Option<&'static str>> = OnceLock::new();
    let works = |name: &&str| {
        let output = Command::new(name).arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    *FOUND.get_or_init(|| ["flang-new-19", "flang-19", "flang-new", "flang"].into_iter().find(works))
}

impl fmt::Display for Dispatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Dispatch::Switch => "switch",
            Dispatch::Computed => "computed",
        })
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.compiler {
            Compiler::C => write!(f, "{}{}", self.dispatch, self.optimisation),
            Compiler::Gfortran => write!(f, "gfortran{}", self.optimisation),
            Compiler::Flang => write!(f, "flang{}", self.optimisation),
        }
    }
}
