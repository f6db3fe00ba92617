//! The prototypes in `mpi.h`.
//!
//! Input: the preprocessed header.
//! Output: each procedure that returns an error code, with its parameters as they are written there.
//! Postcondition: the procedures are sorted by name, each is there once.

/// A procedure of MPI.
#[derive(Debug, Clone, PartialEq)]
pub struct Prototype {
    /// `MPI_Send`
    pub name: String,
    pub parameters: Vec<Parameter>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// `const void *buf`
    pub text: String,
    pub name: String,
}

impl Prototype {
    pub fn has(&self, parameter: &str) -> bool {
        self.parameters.iter().any(|own| own.name == parameter)
    }

    /// The parameter through which a new communicator is returned.
    pub fn new_communicator(&self) -> Option<&str> {
        let is_result = |text: &str| text.starts_with("MPI_Comm *") || text.starts_with("MPI_Comm*");
        self.parameters.iter().find(|parameter| is_result(&parameter.text)).map(|parameter| &*parameter.name)
    }

    /// The parameters as arguments of a call.
    pub fn arguments(&self) -> Vec<&str> {
        self.parameters.iter().map(|parameter| &*parameter.name).collect()
    }
}

pub fn prototypes(header: &str) -> Vec<Prototype> {
    let mut found: Vec<Prototype> = Vec::new();
    let text = header.split_whitespace().collect::<Vec<_>>().join(" ");
    for (at, _) in text.match_indices("int MPI_") {
        let rest = &text[at + "int ".len()..];
        let Some(open) = rest.find('(') else { continue };
        let name = rest[..open].trim_end();
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            continue;
        }
        let Some(inner) = in_brackets(&rest[open..]) else { continue };
        found.push(Prototype { name: name.to_owned(), parameters: parameters(inner) });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.dedup_by(|a, b| a.name == b.name);
    found
}

/// The text between the first bracket and the one that closes it.
fn in_brackets(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[1..at]);
        }
    }
    None
}

fn parameters(text: &str) -> Vec<Parameter> {
    if text.trim() == "void" {
        return Vec::new();
    }
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.split(',')
        .map(|text| {
            let declarator = text.split('[').next().unwrap_or_default().trim_end();
            let name = declarator.rsplit(|letter| !is_of_name(letter)).next().unwrap_or_default();
            Parameter { text: text.trim().to_owned(), name: name.to_owned() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_keep_their_text() {
        let header = "extern int MPI_Waitany(int count, MPI_Request array_of_requests[],\n int *index, MPI_Status *status) __attribute__((x(1,2)));
                      double MPI_Wtime(void); int MPI_Finalize(void);";
        let found = prototypes(header);
        let names: Vec<_> = found.iter().map(|procedure| &*procedure.name).collect();
        assert_eq!(names, ["MPI_Finalize", "MPI_Waitany"]);
        assert_eq!(found[1].arguments(), ["count", "array_of_requests", "index", "status"]);
        assert_eq!(found[1].parameters[1].text, "MPI_Request array_of_requests[]");
        assert!(found[0].parameters.is_empty());
    }
}
