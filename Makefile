# Thin, over cargo and xtask. The first two to try: `make demo`, `make check`.

PREFIX ?= /usr/local
CARGO  ?= cargo

.PHONY: help setup stage demo check install bench

help:
	@echo 'make setup               install what building needs and is missing'
	@echo 'make demo                translate, run, kill and resume an MPI program'
	@echo 'make check               every test'
	@echo 'make bench               ratios against references'
	@echo 'make install PREFIX=DIR  programs, libraries, header, manual'

setup:
	@sh xtask/setup

stage: setup
	$(CARGO) xtask stage

demo: stage
	$(CARGO) xtask demo

check: stage
	$(CARGO) xtask tidy
	$(CARGO) xtask headers --check
	$(CARGO) xtask pages --check
	$(CARGO) xtask test

install: setup
	$(CARGO) xtask install --prefix $(DESTDIR)$(PREFIX)

bench: stage
	$(CARGO) run --quiet --release --package cppc-benches
