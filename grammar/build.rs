//! Generates the parsers from the `.lalrpop` files next to the modules that include them.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::process_src()
}
