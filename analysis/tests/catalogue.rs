//! Tests what the catalogue answers for procedures that programs often call.

use std::path::Path;

use cppc_analysis::catalogue::{to_fill_in, Catalogue};
use cppc_analysis::effects::{
    CallEffects, Effects, Extent, FileAction, FileEffect, KnownAddress, ParameterEffect, ResultEffect,
};

fn effects(name: &str) -> CallEffects {
    let catalogue = Catalogue::built_in();
    let entry = catalogue.entry(name).unwrap_or_else(|| panic!("`{name}` has no entry"));
    entry.call_effects().unwrap_or_else(|| panic!("the effects of `{name}` are not known"))
}

fn product(arguments: &[usize], factor: u64) -> Extent {
    Extent::Product { arguments: arguments.to_vec(), factor }
}

fn datatypes(count: usize, datatype: usize) -> Extent {
    Extent::Datatypes { arguments: vec![count], datatype }
}

#[test]
fn every_built_in_entry_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue");
    let mut files = 0;
    for file in std::fs::read_dir(folder).unwrap().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap();
        let mut catalogue = Catalogue::default();
        catalogue.add(&file.path(), &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(catalogue.names().len() > 15, "{}", file.path().display());
        files += 1;
    }
    assert_eq!(files, 14);
}

#[test]
fn memory_functions_write_as_many_bytes_as_they_are_given() {
    let memset = effects("memset");
    assert_eq!(memset.parameters[0].writes, product(&[2], 1));
    assert_eq!(memset.parameters[0].reads, Extent::Nothing);
    assert_eq!(memset.result, ResultEffect::Addresses(vec![KnownAddress::Argument(0)]));
    let memcpy = effects("__builtin___memcpy_chk");
    assert_eq!(
        (&memcpy.parameters[0].writes, &memcpy.parameters[1].reads),
        (&product(&[2], 1), &product(&[2], 1))
    );
    assert_eq!(memcpy.parameters.len(), 4);
}

#[test]
fn allocation_is_known_with_its_size() {
    assert_eq!(
        effects("calloc").result,
        ResultEffect::Allocates { bytes: product(&[0, 1], 1), zeroed: true }
    );
    assert_eq!(effects("realloc").result, ResultEffect::Reallocates(0));
    assert!(effects("free").parameters[0].frees);
    let aligned = effects("posix_memalign");
    assert!(aligned.parameters[0].allocates && aligned.parameters[0].writes == Extent::Any);
}

#[test]
fn a_short_read_is_no_certain_write() {
    assert_eq!(effects("fread").parameters[0].writes, Extent::Any);
    assert_eq!(effects("MPI_Recv").parameters[0].writes, Extent::Any);
    assert_eq!(effects("scanf").rest.writes, Extent::Any);
}

#[test]
fn mpi_is_the_same_in_c_and_in_fortran() {
    for name in ["MPI_Allreduce", "PMPI_Allreduce", "mpi_allreduce_", "MPI_Allreduce_c", "pmpi_allreduce_"] {
        let reduce = effects(name);
        assert_eq!(reduce.parameters[0].reads, datatypes(2, 3), "{name}");
        assert_eq!(reduce.parameters[1].writes, datatypes(2, 3), "{name}");
        assert_eq!(reduce.parameters[1].in_place, Some(0), "{name}");
        assert!(reduce.communicates, "{name}");
    }
    let rank = effects("mpi_comm_rank_");
    assert_eq!(rank.parameters[1].writes, Extent::Bytes(4));
    assert_eq!(rank.parameters[2].writes, Extent::Bytes(4));
    assert_eq!(rank.parameters[0].reads, Extent::All);
    assert_eq!(effects("mpi_init_").parameters.len(), 1);
    assert_eq!(effects("mpi_init_thread_").parameters.len(), 3);
}

#[test]
fn a_request_keeps_its_buffer() {
    let send = effects("mpi_isend_");
    assert!(send.parameters[0].keeps);
    assert_eq!(send.parameters[6].creates.as_deref(), Some("request"));
    assert_eq!(effects("MPI_Wait").parameters[0].uses.as_deref(), Some("request"));
}

#[test]
fn handles_that_cannot_be_saved_are_created() {
    assert_eq!(effects("fopen").result, ResultEffect::Handle("stream".to_owned()));
    assert_eq!(effects("MPI_Comm_split").parameters[3].creates.as_deref(), Some("communicator"));
    assert_eq!(effects("fftwf_plan_dft_1d").result, ResultEffect::Handle("plan".to_owned()));
    assert_eq!(effects("dfftw_plan_dft_1d_").parameters[0].creates.as_deref(), Some("plan"));
    assert_eq!(effects("nf90%nf90_open").parameters[2].creates.as_deref(), Some("netcdf"));
    assert_eq!(effects("nf90_open_").parameters[2].creates.as_deref(), Some("netcdf"));
    assert_eq!(effects("H5Fopen").result, ResultEffect::Handle("hdf5".to_owned()));
}

#[test]
fn a_handle_is_read_when_it_is_destroyed() {
    for name in [
        "MPI_Comm_free",
        "mpi_comm_free_",
        "mpi_file_close_",
        "h5f%h5fclose_f",
        "nf90_close_",
        "fortran%close",
    ] {
        assert_ne!(effects(name).parameters[0].reads, Extent::Nothing, "{name}");
    }
    assert_eq!(effects("MPI_Comm_free").parameters[0].writes, Extent::Any);
    assert_eq!(effects("fortran%close").parameters[0].writes, Extent::Nothing);
}

#[test]
fn calls_with_the_name_of_a_file_say_what_they_do_to_the_file() {
    let file = |name, action| FileEffect { name, action };
    assert_eq!(effects("unlinkat").files, [file(1, FileAction::Removes)]);
    assert_eq!(effects("access").files, [file(0, FileAction::Asks)]);
    let renamed = [file(0, FileAction::Renames), file(1, FileAction::Replaces)];
    assert_eq!(effects("rename").files, renamed);
    assert_eq!(effects("fortran%rename").files, renamed);
    assert_eq!(effects("mq_unlink").files, []);
    assert_eq!(effects("symlink").files, [file(1, FileAction::Creates)]);
    assert_eq!(effects("truncate").files, [file(0, FileAction::Truncates)]);
}

#[test]
fn some_procedures_never_return_and_some_call_back() {
    for name in ["exit", "abort", "__builtin_unreachable", "MPI_Abort", "mpi_abort_", "fortran%stop"] {
        assert!(effects(name).never_returns, "{name}");
    }
    assert!(effects("qsort").calls_back && effects("atexit").calls_back && !effects("sqrt").calls_back);
    let catalogue = Catalogue::built_in();
    assert!(catalogue.entry("raise").unwrap().call_effects().is_none());
}

#[test]
fn an_intrinsic_subroutine_writes_its_argument_as_a_whole() {
    let random = effects("fortran%random_number");
    assert_eq!((&random.parameters[0].reads, &random.parameters[0].writes), (&Extent::Nothing, &Extent::All));
    assert_eq!(effects("fortran%size").parameters[0].reads, Extent::Nothing);
    assert_eq!(effects("fortran%sum").parameters[0].reads, Extent::All);
}

#[test]
fn interfaces_of_linear_algebra_for_c_follow_by_rule() {
    let gemm = effects("cblas_dgemm");
    assert_eq!(gemm.parameters.len(), 14);
    assert_eq!(gemm.parameters[6], ParameterEffect::default());
    assert_eq!(gemm.parameters[12].reads, Extent::Any);
    assert_eq!(effects("LAPACKE_dgesv").parameters.len(), 8);
    assert_eq!(effects("LAPACKE_dgetrf").parameters.len(), 6);
    assert_eq!(effects("dgemm_").parameters.len(), 13);
}

#[test]
fn the_openmp_runtime_is_known_in_fortran_and_c_functions_are_not() {
    assert_eq!(effects("omp_set_num_threads_").parameters[0].reads, Extent::All);
    assert_eq!(effects("omp_get_wtime_").parameters.len(), 0);
    assert!(Catalogue::built_in().entry("malloc_").is_none());
}

#[test]
fn entries_of_the_user_replace_built_in_ones() {
    let mut catalogue = Catalogue::built_in();
    let text =
        "# Ours.\nfree(p)\nsolve_grid(u: both(8*n),\n    n)\n[fortran]\n{s=4,d=8}fill(x: out(@*n), n)\n";
    catalogue.add(Path::new("ours.txt"), text).unwrap();
    assert!(!catalogue.entry("free").unwrap().parameters[0].frees);
    let known = catalogue.of_names(["dfill_", "solve_grid", "nobody"]);
    assert_eq!(known.effects("dfill_").unwrap().parameters[0].writes, product(&[1], 8));
    assert_eq!(known.effects("solve_grid").unwrap().parameters[0].reads, product(&[1], 8));
    assert!(known.effects("nobody").is_none());
}

#[test]
fn a_mistake_in_a_file_is_reported_with_its_line() {
    let wrong = |text: &str| Catalogue::default().add(Path::new("mine"), text).unwrap_err().to_string();
    assert_eq!(wrong("\nf(a: inn)"), "mine:2: unknown word `inn`");
    assert_eq!(wrong("f(a: in(n))"), "mine:1: there is no parameter `n`");
    assert_eq!(wrong("f(a"), "mine:1: `)` is missing");
    assert_eq!(wrong("f"), "mine:1: `(` is missing after the name");
    assert_eq!(wrong("[java]\nf()"), "mine:1: unknown section `[java]`");
    assert_eq!(wrong("f(...: in, a)"), "mine:1: `...` is the last parameter");
    assert_eq!(wrong("f(a) -> a"), "mine:1: unknown word `a` after `->`");
    assert_eq!(wrong("f(a): sends(a)"), "mine:1: `sends` needs three names: `sends(peer, tag, comm)`");
    assert_eq!(wrong("f(a): flies"), "mine:1: unknown effect `flies`");
}

#[test]
fn a_missing_entry_is_printed_as_what_is_assumed() {
    assert_eq!(to_fill_in("solve", 2), "solve(a1: both deep keep, a2: both deep keep) -> unknown");
    assert_eq!(to_fill_in("solve_", 1), "[fortran]\nsolve(a1: both deep keep)");
    let mut catalogue = Catalogue::default();
    catalogue.add(Path::new("new"), &to_fill_in("solve_", 1)).unwrap();
    let effects = catalogue.entry("solve_").unwrap().call_effects().unwrap();
    assert!(effects.parameters[0].keeps && effects.parameters[0].follows_pointers);
}
