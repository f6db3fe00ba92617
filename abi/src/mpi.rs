//! The implementation of MPI for which something was built or with which it runs.
//!
//! Input: the macros of `mpi.h`, the file in an installation, or the text of `MPI_Get_library_version`.
//! Output: the implementation and its version.
//! Postcondition: a text that is not known is `None`, because nothing follows from it.

use std::fmt;

/// The file that names the MPI of `libcppc_mpi`, under the directory of the libraries.
pub const FILE: &str = "cppc/mpi";

/// Implementations with the same binary interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Implementation {
    OpenMpi,
    /// MPICH, and what is derived from it: Intel MPI, MVAPICH, Cray MPICH.
    Mpich,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mpi {
    pub implementation: Implementation,
    pub version: String,
}

impl Implementation {
    pub fn name(self) -> &'static str {
        match self {
            Implementation::OpenMpi => "Open MPI",
            Implementation::Mpich => "MPICH",
        }
    }

    /// From the text of `MPI_Get_library_version`.
    pub fn of_library_version(text: &str) -> Option<Implementation> {
        const BEGINNINGS: [(&str, Implementation); 6] = [
            ("Open MPI ", Implementation::OpenMpi),
            ("MPICH ", Implementation::Mpich),
            ("Intel(R) MPI ", Implementation::Mpich),
            ("MVAPICH", Implementation::Mpich),
            ("MPI VERSION    : CRAY MPICH", Implementation::Mpich),
            ("CRAY MPICH", Implementation::Mpich),
        ];
        let known = BEGINNINGS.iter().find(|(beginning, _)| text.trim_start().starts_with(beginning));
        known.map(|(_, implementation)| *implementation)
    }
}

impl Mpi {
    /// From the macros that the compiler prints with `-dM` for `mpi.h`.
    pub fn of_macros(macros: &str) -> Option<Mpi> {
        let value = |name: &str| {
            let mut lines = macros.lines().filter_map(|line| line.strip_prefix("#define "));
            let definition = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
            Some(definition.trim().trim_matches('"').to_owned())
        };
        if let Some(major) = value("OMPI_MAJOR_VERSION") {
            let rest = ["OMPI_MINOR_VERSION", "OMPI_RELEASE_VERSION"].map(value);
            let numbers: Vec<String> = [Some(major)].into_iter().chain(rest).flatten().collect();
            return Some(Mpi { implementation: Implementation::OpenMpi, version: numbers.join(".") });
        }
        let version = value("MPICH_VERSION")?;
        Some(Mpi { implementation: Implementation::Mpich, version })
    }

    /// From the file in an installation.
    pub fn of_file(text: &str) -> Option<Mpi> {
        [Implementation::OpenMpi, Implementation::Mpich].into_iter().find_map(|implementation| {
            let version = text.trim().strip_prefix(implementation.name())?.trim().to_owned();
            Some(Mpi { implementation, version })
        })
    }
}

impl fmt::Display for Mpi {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{} {}", self.implementation.name(), self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_macros_of_a_header_name_its_mpi() {
        let shown = |macros: &str| Mpi::of_macros(macros).map(|mpi| mpi.to_string());
        let open = "#define MPI_VERSION 3\n#define OMPI_MINOR_VERSION 1\n#define OMPI_MAJOR_VERSION 4\n#define OMPI_RELEASE_VERSION 4\n";
        assert_eq!(shown(open).as_deref(), Some("Open MPI 4.1.4"));
        let mpich = "#define MPICH_VERSION_NAME x\n#define MPICH_VERSION \"4.0.2\"\n";
        assert_eq!(shown(mpich).as_deref(), Some("MPICH 4.0.2"));
        assert_eq!(shown("#define MPI_VERSION 3\n"), None);
    }

    #[test]
    fn the_file_of_an_installation_is_read_back() {
        for (implementation, version) in
            [(Implementation::OpenMpi, "4.1.4"), (Implementation::Mpich, "4.0.2")]
        {
            let mpi = Mpi { implementation, version: version.to_owned() };
            assert_eq!(Mpi::of_file(&format!("{mpi}\n")), Some(mpi));
        }
        assert_eq!(Mpi::of_file("another MPI\n"), None);
    }

    #[test]
    fn a_library_names_its_implementation() {
        let of = Implementation::of_library_version;
        assert_eq!(of("Open MPI v4.1.4, package: Debian"), Some(Implementation::OpenMpi));
        assert_eq!(of("MPICH Version:\t4.0.2\nMPICH Release date:"), Some(Implementation::Mpich));
        assert_eq!(of("Intel(R) MPI Library 2021.9 for Linux* OS"), Some(Implementation::Mpich));
        assert_eq!(of("Someone's MPI"), None);
    }
}
