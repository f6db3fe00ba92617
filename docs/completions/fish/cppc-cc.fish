complete -c cppc-cc -l cppc-dispatch -d 'The form of jumps in generated code [default: switch; when linking, the form of the objects]' -r -f -a "switch\t''
computed\t''"
complete -c cppc-cc -l cppc-annotate -d 'When linking, also write a patch that adds the missing directives to the sources' -r
complete -c cppc-cc -l cppc-auto -d 'When linking, add the directives that the program needs: all but `checkpoint` (register), `checkpoint` in the loops with most work, or all [default: the word of `auto(…)` in a source]' -r -f -a "none\t''
register\t''
checkpoint\t''
all\t''"
complete -c cppc-cc -l cppc-catalogue -d 'Read the effects of procedures without source from FILE, see docs/catalogue.md (can be repeated)' -r
complete -c cppc-cc -l cppc-cc -d 'The compiler, with options if needed' -r
complete -c cppc-cc -l cppc-check -d 'When linking, check that a restart restores what the program needs after a checkpoint (live), or do not check it (none); add the check of messages to an MPI program (messages) [default: live]' -r -f -a "none\t''
live\t''
messages\t''"
complete -c cppc-cc -l cppc-explain -d 'Print what a diagnostic means and what to do about it' -r
complete -c cppc-cc -l cppc-keep -d 'Keep the translated files in DIR' -r
complete -c cppc-cc -l cppc-mpi -d 'Whether to link with libcppc_mpi [default: depends on the compiler]' -r -f -a "yes\t''
no\t''"
complete -c cppc-cc -l cppc-ranks -d 'Follow communications with these numbers of processes, separated by commas' -r
complete -c cppc-cc -l cppc-unknown -d 'What the analyses do if they do not know what a call does: assume the worst (live), or report an error (stop)' -r -f -a "live\t''
stop\t''"
complete -c cppc-cc -l cppc-warn -d 'With `all`: report also warnings that may be wrong, and each procedure without entry in the catalogue' -r -f -a "usual\t''
all\t''"
complete -c cppc-cc -l cppc-allocations -d 'Record allocations, so that checkpoints report registered memory that was freed'
complete -c cppc-cc -l cppc-shared -d 'Link with the shared runtime instead of the static one'
complete -c cppc-cc -l cppc-launcher -d 'The first word that is not an option of the wrapper is the compiler, as build systems write launchers'
complete -c cppc-cc -l cppc-verbose -d 'Print what is translated and which commands are run'
complete -c cppc-cc -l cppc-help -d 'Print this help'
complete -c cppc-cc -l cppc-version -d 'Print the version of CPPC'
