# A thin layer over cargo and xtask. Try `make demo` and `make check` first.

PREFIX ?= /usr/local
CARGO  ?= cargo

.PHONY: help setup demo check check-portable check-memory soak soak-disks install uninstall book deb bench

help:
	@echo 'make setup               install missing build dependencies'
	@echo 'make demo                translate, run, kill and resume an MPI program'
	@echo 'make check               run every test'
	@echo 'make check-portable      test state files between machines, with emulators'
	@echo 'make check-memory        run Miri, AddressSanitizer and ThreadSanitizer, with nightly Rust'
	@echo 'make soak                test random programs without end; a failure prints its seed'
	@echo 'make soak-disks          test many kills, failing disks, and every error in every system call'
	@echo 'make bench               measure ratios against references'
	@echo 'make install PREFIX=DIR  install programs, libraries, headers and manual pages'
	@echo 'make uninstall PREFIX=DIR  remove what make install has installed'
	@echo 'make book                make the manual as a book: target/book/index.html'
	@echo 'make deb                 make a Debian package in target'

setup:
	@sh xtask/setup

demo: setup
	$(CARGO) xtask stage
	$(CARGO) xtask demo

check: setup
	$(CARGO) fmt --all --check
	$(CARGO) xtask tidy
	$(CARGO) clippy --quiet --workspace --all-targets --features xtask/pages,xtask/book -- --deny warnings
	$(CARGO) xtask headers --check
	$(CARGO) xtask stage --every-mpi --programs dev
	$(CARGO) xtask test

check-portable: setup
	$(CARGO) xtask check-portable

check-memory: setup
	$(CARGO) xtask check-memory

soak: setup
	CPPC_FUZZ_RUNS=50 CPPC_FUZZ_SEED=$$(date +%s) $(CARGO) test --release --package cppc-fuzz-targets
	$(CARGO) xtask stage
	CPPC_REMOVALS=all CPPC_STAGE=$(CURDIR)/target/stage $(CARGO) test --package cppc-tests --test removals -- --nocapture
	GRAPHS=10000 CPPC_STAGE=$(CURDIR)/target/stage $(CARGO) test --package cppc-tests --test resume heap_graph_random -- --nocapture
	CPPC_RUN_FAILURES=100 CPPC_STAGE=$(CURDIR)/target/stage $(CARGO) test --package cppc-tests --test supervision -- --nocapture
	CPPC_MESSAGES=all CPPC_STAGE=$(CURDIR)/target/stage $(CARGO) test --package cppc-tests --test messages
	CPPC_REHEARSALS=all CPPC_STAGE=$(CURDIR)/target/stage $(CARGO) test --package cppc-tests --test rehearsal -- --nocapture
	CPPC_KILLS=all CPPC_STAGE=$(CURDIR)/target/stage $(CARGO) test --package cppc-tests --test resume
	CPPC_TRANSFERS=all $(CARGO) xtask check-portable
	$(CARGO) xtask random --large --minimise

soak-disks: setup
	$(CARGO) xtask stage --every-mpi
	CPPC_TORN=10 $(CARGO) test --release --package cppc-runtime --test crashes
	CPPC_HISTORIES=50000 CPPC_HISTORY_SEED=$$(date +%s) $(CARGO) test --release --package cppc-runtime --test histories -- --nocapture --test-threads 1
	CPPC_FAILING_CALLS=all CPPC_STAGE=$(CURDIR)/target/stage $(CARGO) test --package cppc-tests --test disks --test kills -- --nocapture
	test ! -d target/stage-mpich || export CPPC_STAGE_MPICH=$(CURDIR)/target/stage-mpich; \
	CPPC_STORM_KILLS=500 CPPC_STORM_SEED=$$(date +%s) CPPC_STAGE=$(CURDIR)/target/stage $(CARGO) test --package cppc-tests --test moments -- --nocapture

install:
	@CPPC_SETUP_TESTS=0 sh xtask/setup
	$(CARGO) xtask install --prefix '$(DESTDIR)$(PREFIX)'

uninstall:
	$(CARGO) xtask uninstall --prefix '$(DESTDIR)$(PREFIX)'

book:
	$(CARGO) xtask book

deb:
	@CPPC_SETUP_TESTS=0 sh xtask/setup
	$(CARGO) xtask install --prefix target/package
	$(CARGO) xtask deb --from target/package --into target

bench: setup
	$(CARGO) xtask stage
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_translate
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_calls
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_demand
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_runtime
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_registers
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_graphs
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_analyses
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_pack
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_incremental
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_hdf5
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_foreign
	$(CARGO) run --quiet --release --package cppc-benches --bin bench_supervision
