complete -c cppc-pp -s o -l output -d 'The file for the rewritten source (only for one source; `-` or no option: standard output)' -r -F
complete -c cppc-pp -l out-dir -d 'The directory for the rewritten sources, which keep their names' -r -F
complete -c cppc-pp -s I -d 'Adds a directory to search for headers' -r
complete -c cppc-pp -s D -d 'Defines a macro' -r
complete -c cppc-pp -s U -d 'Undefines a macro' -r
complete -c cppc-pp -l cc-option -d 'Passes an option to the compiler when it is asked for its macros (`-std=c99`, `-ffixed-line-length-132`)' -r
complete -c cppc-pp -l cc -d 'The C compiler that will compile the result, and that has the headers' -r
complete -c cppc-pp -l fc -d 'The Fortran compiler that will compile the result' -r
complete -c cppc-pp -l dispatch -d 'The form of jumps in a restart: a `switch` of gotos, or the computed goto of GNU C' -r -f -a "switch\t''
computed\t''"
complete -c cppc-pp -l message-format -d 'How diagnostics are written' -r -f -a "text\t''
json\t'One object per line'"
complete -c cppc-pp -l explain -d 'Prints what a diagnostic means and what to do about it (`C0413`), and does nothing else' -r
complete -c cppc-pp -l auto -d 'Adds the directives that the program needs. By default, this is done if a source has the directive `auto(…)`, with one of these words' -r -f -a "none\t'No directive, even if a source has `auto(register)`'
register\t'Everything but `checkpoint`'
checkpoint\t'`checkpoint` in the loops with most work, if the program has none'
all\t'Everything'"
complete -c cppc-pp -l annotate -d 'Writes a patch that adds these directives to the sources, and no translation (`-`: standard output)' -r -F
complete -c cppc-pp -l check -d 'Whether to warn if a restart does not restore what the program needs after a checkpoint [default: live, if the sources contain the main program]' -r -f -a "none\t'The directives are not checked'
live\t'Warn if a value is read after a checkpoint and nothing restores it'
messages\t'For `cppc-cc`, which links the check of messages. It needs no translation'"
complete -c cppc-pp -l catalogue -d 'Reads the effects of procedures without source from a file, see docs/catalogue.md (can be repeated)' -r -F
complete -c cppc-pp -l unknown -d 'What the analyses do if they do not know what a call or a construct does' -r -f -a "live\t'Assume the worst'
stop\t'Report an error, and translate nothing'"
complete -c cppc-pp -l warn -d 'Which warnings of the analyses are reported' -r -f -a "usual\t'Those that are probably right'
all\t'Also those that may be wrong, and each procedure without entry in the catalogue'"
complete -c cppc-pp -l ranks -d 'Follows communications with these numbers of processes, separated by commas, see docs/safe-points.md' -r
complete -c cppc-pp -l dump -d 'Prints the result of a stage, and writes nothing else' -r -f -a "tokens\t''
tree\t''
model\t''
facts\t''
plan\t''
flow\t'The flow graphs that analyses read'
live\t'What is live, lost and registered at each checkpoint'
safe-points\t'Whether messages are in transit at each checkpoint'
loops\t'The work of each loop, and the loops that get automatic checkpoints'"
complete -c cppc-pp -l line-markers -d 'Writes `#line` directives, so that the compiler\'s messages refer to the original'
complete -c cppc-pp -s h -l help -d 'Print help (see more with \'--help\')'
complete -c cppc-pp -s V -l version -d 'Print version'
