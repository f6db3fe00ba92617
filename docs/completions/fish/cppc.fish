# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_cppc_global_optspecs
    string join \n h/help V/version
end

function __fish_cppc_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_cppc_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_cppc_using_subcommand
    set -l cmd (__fish_cppc_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c cppc -n "__fish_cppc_needs_command" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_needs_command" -s V -l version -d 'Print version'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "list" -d 'Lists applications and their recovery lines'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "show" -d 'Shows the content of state files: registers, their first values and statistics, the restart plan'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "diff" -d 'Shows which variables differ between two states, where first, and by how much'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "convert" -d 'Writes states in another format, for example for the tools of HDF5'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "prune" -d 'Removes old recovery lines, and keeps the newest complete ones'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "verify" -d 'Checks every byte against its checksum'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "report" -d 'Writes a page about recovery lines and variables, with pictures'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "run" -d 'Runs a program, and starts it again after a failure'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "checkpoint" -d 'Requests a checkpoint of a running program'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "rehearse" -d 'Tests the restarts of a program: kills it at its checkpoints, and compares the results'
complete -c cppc -n "__fish_cppc_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c cppc -n "__fish_cppc_using_subcommand list" -l json -d 'Print the result as JSON'
complete -c cppc -n "__fish_cppc_using_subcommand list" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand show" -l app -d 'The application, if the directory has several' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l line -d 'The recovery line; default: the newest one' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l rank -d 'The ranks of the processes, such as 0-3,7, or all' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -s n -l name -d 'Only registers whose name matches one of these, with * and ?' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l values -d 'How many values of each register to show' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l stats -d 'Whether to read all values for minimum, mean and maximum' -r -f -a "auto\t'If there are at most 256 MiB to read'
yes\t''
no\t''"
complete -c cppc -n "__fish_cppc_using_subcommand show" -l shape -d 'The shape of registers with the same number of elements, such as 100x200, in the order of the program\'s declaration' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l plot -d 'Draw the named array, or the largest one, as a PNG picture (`-`: to standard output), and show nothing else' -r -F
complete -c cppc -n "__fish_cppc_using_subcommand show" -l field -d 'The field of a structure to draw' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l slice -d 'The plane to draw of an array with three or more dimensions, such as 5,:,: with the program\'s own subscripts; default: the middle' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l range -d 'The values at the ends of the scale; default: the minimum and the maximum' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l columns -d 'With several processes: the number of tiles in a row of the picture; default: the picture is nearly square' -r
complete -c cppc -n "__fish_cppc_using_subcommand show" -l log -d 'Use a logarithmic scale for the colours'
complete -c cppc -n "__fish_cppc_using_subcommand show" -l upwards -d 'Draw the first row at the bottom'
complete -c cppc -n "__fish_cppc_using_subcommand show" -l json -d 'Print the result as JSON'
complete -c cppc -n "__fish_cppc_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c cppc -n "__fish_cppc_using_subcommand diff" -l app -d 'The application, if the directories have several' -r
complete -c cppc -n "__fish_cppc_using_subcommand diff" -l rank -d 'The ranks of the processes, such as 0-3,7, or all' -r
complete -c cppc -n "__fish_cppc_using_subcommand diff" -s n -l name -d 'Only registers whose name matches one of these, with * and ?' -r
complete -c cppc -n "__fish_cppc_using_subcommand diff" -l tolerance -d 'Maximum absolute difference of numbers that count as equal' -r
complete -c cppc -n "__fish_cppc_using_subcommand diff" -l relative -d 'Maximum difference of numbers that count as equal, relative to the larger one' -r
complete -c cppc -n "__fish_cppc_using_subcommand diff" -l json -d 'Print the result as JSON'
complete -c cppc -n "__fish_cppc_using_subcommand diff" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand convert" -l to -d 'The writer: binary, hdf5, or the path of another' -r
complete -c cppc -n "__fish_cppc_using_subcommand convert" -s o -l output -d 'The file, or the state directory, to write' -r -F
complete -c cppc -n "__fish_cppc_using_subcommand convert" -l compress -d 'How content is compressed: none, lz4, deflate or deflate:1 to deflate:9' -r
complete -c cppc -n "__fish_cppc_using_subcommand convert" -l app -d 'The application, if the directory has several' -r
complete -c cppc -n "__fish_cppc_using_subcommand convert" -l rank -d 'The ranks of the processes, such as 0-3,7, or all' -r
complete -c cppc -n "__fish_cppc_using_subcommand convert" -l force -d 'Replace existing files'
complete -c cppc -n "__fish_cppc_using_subcommand convert" -l json -d 'Print the result as JSON'
complete -c cppc -n "__fish_cppc_using_subcommand convert" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand prune" -l keep -d 'How many complete lines to keep' -r
complete -c cppc -n "__fish_cppc_using_subcommand prune" -l app -d 'The application, if the directory has several; default: all' -r
complete -c cppc -n "__fish_cppc_using_subcommand prune" -l aside -d 'Also remove files that a resumed run has set aside'
complete -c cppc -n "__fish_cppc_using_subcommand prune" -l dry-run -d 'Show what would be removed, and remove nothing'
complete -c cppc -n "__fish_cppc_using_subcommand prune" -l quick -d 'Do not read the content of the lines that are kept'
complete -c cppc -n "__fish_cppc_using_subcommand prune" -l json -d 'Print the result as JSON'
complete -c cppc -n "__fish_cppc_using_subcommand prune" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand verify" -l json -d 'Print the result as JSON'
complete -c cppc -n "__fish_cppc_using_subcommand verify" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand report" -s o -l output -d 'The page to write (`-`: to standard output)' -r -F
complete -c cppc -n "__fish_cppc_using_subcommand report" -l app -d 'The application, if the directory has several; default: all' -r
complete -c cppc -n "__fish_cppc_using_subcommand report" -l line -d 'The recovery line whose variables are shown; default: the newest complete one' -r
complete -c cppc -n "__fish_cppc_using_subcommand report" -l rank -d 'The ranks of the processes, such as 0-3,7, or all' -r
complete -c cppc -n "__fish_cppc_using_subcommand report" -s n -l name -d 'Only registers whose name matches one of these, with * and ?' -r
complete -c cppc -n "__fish_cppc_using_subcommand report" -l shape -d 'The shape of registers with the same number of elements, such as 100x200, in the order of the program\'s declaration' -r
complete -c cppc -n "__fish_cppc_using_subcommand report" -l pictures -d 'How many arrays to draw' -r
complete -c cppc -n "__fish_cppc_using_subcommand report" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand run" -l max-restarts -d 'The maximum number of restarts in sequence without a newer complete recovery line' -r
complete -c cppc -n "__fish_cppc_using_subcommand run" -l stall -d 'Treat it as a failure if there is no newer state file and no output in a file for this time, for example 90s, 10m or 2h' -r
complete -c cppc -n "__fish_cppc_using_subcommand run" -l restart-on -d 'What counts as a failure: exit statuses such as 1-125, signals such as SIGKILL, and the words signals, stall and all' -r
complete -c cppc -n "__fish_cppc_using_subcommand run" -l pause -d 'The time before the first restart; it doubles with each restart without progress, up to 5 minutes' -r
complete -c cppc -n "__fish_cppc_using_subcommand run" -l dir -d 'The state directory, if it is not in CPPC_DIR, in cppc.toml, or on the command line of the program' -r -F
complete -c cppc -n "__fish_cppc_using_subcommand run" -l log -d 'Append events to a file, one JSON object on each line' -r -F
complete -c cppc -n "__fish_cppc_using_subcommand run" -l time-left -d 'End the program after a checkpoint before the end of the job: a shell command that prints how much time is left. In a Slurm job, this is done without the option' -r
complete -c cppc -n "__fish_cppc_using_subcommand run" -l margin -d 'How long before the end of the job the program is asked to end; default: a tenth of the time at the start, at most 5m' -r
complete -c cppc -n "__fish_cppc_using_subcommand run" -l host-check -d 'A shell command that fails if the host in `$1` cannot be used; default: a login by ssh, or the states of Slurm. After a failure, hosts that fail twice are excluded from the next attempt' -r
complete -c cppc -n "__fish_cppc_using_subcommand run" -l requeue -d 'After such an end, let Slurm queue the job again'
complete -c cppc -n "__fish_cppc_using_subcommand run" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand checkpoint" -l app -d 'The application, if the directory has several' -r
complete -c cppc -n "__fish_cppc_using_subcommand checkpoint" -l timeout -d 'How long to wait, for example 90s, 10m or 2h' -r
complete -c cppc -n "__fish_cppc_using_subcommand checkpoint" -l end -d 'End the program after the checkpoint'
complete -c cppc -n "__fish_cppc_using_subcommand checkpoint" -l no-wait -d 'Do not wait for the checkpoint'
complete -c cppc -n "__fish_cppc_using_subcommand checkpoint" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l at -d 'The recovery lines after which the program is killed, such as 1,5,9; default: see --times' -r
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l times -d 'How often the program is killed: at the first line, the last one, and others at equal distances' -r
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l compare -d 'A file that the program writes, to be compared too; its earlier content is restored before each run' -r -F
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l tolerance -d 'Maximum absolute difference of numbers that count as equal' -r
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l relative -d 'Maximum difference of numbers that count as equal, relative to the larger one' -r
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l ignore -d 'Do not compare lines of the output that match this pattern as a whole, with * and ? (`*Time*`)' -r
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l limit -d 'The time after which a run is ended; default: 30 s more than ten times that of the first run' -r
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l work -d 'The directory for the temporary state directory' -r -F
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l junit -d 'Write the results for a CI system, in the format of JUnit' -r -F
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l state -d 'Compare the saved variables of all later recovery lines, and name the one that differs first'
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l poison -d 'Fill memory that the program allocates with a pattern, so that values that are not restored show'
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -l json -d 'Print the result as JSON'
complete -c cppc -n "__fish_cppc_using_subcommand rehearse" -s h -l help -d 'Print help'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "list" -d 'Lists applications and their recovery lines'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "show" -d 'Shows the content of state files: registers, their first values and statistics, the restart plan'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "diff" -d 'Shows which variables differ between two states, where first, and by how much'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "convert" -d 'Writes states in another format, for example for the tools of HDF5'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "prune" -d 'Removes old recovery lines, and keeps the newest complete ones'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "verify" -d 'Checks every byte against its checksum'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "report" -d 'Writes a page about recovery lines and variables, with pictures'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "run" -d 'Runs a program, and starts it again after a failure'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "checkpoint" -d 'Requests a checkpoint of a running program'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "rehearse" -d 'Tests the restarts of a program: kills it at its checkpoints, and compares the results'
complete -c cppc -n "__fish_cppc_using_subcommand help; and not __fish_seen_subcommand_from list show diff convert prune verify report run checkpoint rehearse help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
