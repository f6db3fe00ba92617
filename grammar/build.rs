//! Makes the parsers from the `.lalrpop` files beside the modules that include them.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::process_src()
}
