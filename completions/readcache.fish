# Completion of readcache(1) for fish.
# Made by completions/make.mjs from the table of commands: do not edit.

# Is the command one of these?
function __readcache_is
    set -l words (commandline -opc)
    set -q words[2]; and contains -- $words[2] $argv
end

# Is one of these among the words after the command?
function __readcache_has
    set -l words (commandline -opc)
    for word in $words[3..-1]
        contains -- $word $argv; and return 0
    end
    return 1
end

# Is this the first word after the command?
function __readcache_first
    test (count (commandline -opc)) -eq 2
end

# The program that is run, with all that follows it, one to a line. Nothing,
# and false, if it is not typed yet.
function __readcache_wrapped
    set -l words (commandline -opc)
    contains -- "$words[2]" run; or return 1
    set -e words[1..2]
    while set -q words[1]
        switch $words[1]
            case --
                set -e words[1]
                break
            case --dep --code --param --env --fp --out --out-not-kept -n --name --ttl --checkout-mode --store
                set -e words[1]
            case '-*'
            case '*'
                break
        end
        set -e words[1]
    end
    set -q words[1]; and printf '%s\n' $words
end

# What fish offers for that program, or for its name.
function __readcache_program
    set -l words (__readcache_wrapped | string escape)
    set -l word (commandline -ct)
    if set -q words[1]
        complete -C "$words $word"
    else if not string match -q -- '-*' "$word"
        complete -C "$word"
    end
end

set -l none "not __readcache_is serve read status refresh replay audit shadow report run flow memo cache store config doctor"

complete -c readcache -f
complete -c readcache -n $none -l version -d 'show the version'
complete -c readcache -n 'not __readcache_wrapped >/dev/null' -s h -l help -d 'show help'
complete -c readcache -n $none -a serve -d 'one request per input line, until end of input'
complete -c readcache -n $none -a read -d 'the answer that a read gets'
complete -c readcache -n $none -a status -d 'what is known and saved on a session\'s branch'
complete -c readcache -n $none -a refresh -d 'make the next read of a file give its text'
complete -c readcache -n $none -a replay -d 'what a recorded session\'s leaf can trust, and why'
complete -c readcache -n $none -a audit -d 'check that recorded answers could be understood'
complete -c readcache -n $none -a shadow -d 'what readcache would have saved in a session'
complete -c readcache -n $none -a report -d 'a page to look at'
complete -c readcache -n $none -a run -d 'a command, or what it gave if nothing changed'
complete -c readcache -n $none -a flow -d 'run a workflow'
complete -c readcache -n $none -a memo -d 'results under keys: never ask the same twice'
complete -c readcache -n $none -a cache -d 'stats, gc, clear, adopt, settings: all that is kept'
complete -c readcache -n $none -a store -d 'stats, gc, clear, adopt, settings: all that is kept'
complete -c readcache -n $none -a config -d 'the settings in force, and where they come from'
complete -c readcache -n $none -a doctor -d 'what is installed, and what to do next'

# read
complete -c readcache -n '__readcache_is read' -F
complete -c readcache -n '__readcache_is read' -l offset -x -d 'from line N on'
complete -c readcache -n '__readcache_is read' -l limit -x -d 'N lines at most'
complete -c readcache -n '__readcache_is read' -l session -r -F -d 'a pi session file'
complete -c readcache -n '__readcache_is read' -l leaf -x -d 'the entry at which the read is made'
complete -c readcache -n '__readcache_is read' -l explain -d 'say on standard error why it was answered so'
complete -c readcache -n '__readcache_is read' -l json -d 'the protocol\'s answer'

# status
complete -c readcache -n '__readcache_is status' -l session -r -F -d 'a pi session file'
complete -c readcache -n '__readcache_is status' -l leaf -x -d 'the branch that ends there'
complete -c readcache -n '__readcache_is status' -l json -d 'the protocol\'s answer'

# refresh
complete -c readcache -n '__readcache_is refresh' -F
complete -c readcache -n '__readcache_is refresh' -l session -r -F -d 'the session'
complete -c readcache -n '__readcache_is refresh' -s n -l dry-run -d 'append nothing'
complete -c readcache -n '__readcache_is refresh' -l json -d 'show the entry'

# replay
complete -c readcache -n '__readcache_is replay' -F
complete -c readcache -n '__readcache_is replay' -l leaf -x -d 'the branch that ends there'
complete -c readcache -n '__readcache_is replay' -l all-leaves -d 'every tip of the session\'s tree'
complete -c readcache -n '__readcache_is replay' -l json -d 'for programs'

# audit
complete -c readcache -n '__readcache_is audit' -F
complete -c readcache -n '__readcache_is audit' -s q -l quiet -d 'violations only'
complete -c readcache -n '__readcache_is audit' -l json -d 'for programs'

# shadow
complete -c readcache -n '__readcache_is shadow' -F
complete -c readcache -n '__readcache_is shadow' -l policy -x -a 'strict coverage pieces' -d 'pieces'
complete -c readcache -n '__readcache_is shadow' -l files -x -d 'how many files to list, most saved first'
complete -c readcache -n '__readcache_is shadow' -l json -d 'for programs'
complete -c readcache -n '__readcache_is shadow' -l reads -d 'with --json: list every read, too'

# report
complete -c readcache -n '__readcache_is report' -F
complete -c readcache -n '__readcache_is report' -s o -l output -r -F -d 'write the page there'
complete -c readcache -n '__readcache_is report' -l json -d 'for programs, on standard output'

# run
complete -c readcache -n '__readcache_is run' -a '(__readcache_program)'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l dep -r -F -d 'a file, a directory or a pattern it reads'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l code -r -F -d 'the same for the program itself'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l param -x -d 'a parameter'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l env -x -a '(set -nx)' -d 'a variable of the environment'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l fp -x -d 'a fingerprint: git:REF, glob:PATTERN, glob!:PATTERN, file:PATH or env:NAME'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l stdin -d 'pass standard input on'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l out -r -F -d 'a file or directory it makes, below the current directory'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l out-not-kept -r -F -d 'the same, but no copy is kept: without it COMMAND is run'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -s n -l name -x -d 'the name of this work, under which its last state is kept'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l ttl -x -d 'a result that is older is not used'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l force -d 'run it in any case'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l no-commit -d 'keep nothing of this run'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l cache-failures -d 'keep and repeat failures too'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l checkout-mode -x -a 'hardlink symlink copy' -d 'how outputs are put back: hardlink, symlink, copy, or several in their order, with commas'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l explain -d 'tell on standard error what was decided and why'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l dry-run -d 'tell only that'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l json -d 'one JSON object instead of the command\'s words'
complete -c readcache -n '__readcache_is run; and not __readcache_wrapped >/dev/null' -l store -x -a '(__fish_complete_directories)' -d 'this store'

# flow
complete -c readcache -n '__readcache_is flow' -F
complete -c readcache -n '__readcache_is flow; and __readcache_first' -a status -d 'which nodes are kept'
complete -c readcache -n '__readcache_is flow; and __readcache_first' -a validate -d 'is the file correct?'
complete -c readcache -n '__readcache_is flow; and __readcache_first' -a checkout -d 'bring back the outputs that nodes made last'
complete -c readcache -n '__readcache_is flow; and __readcache_first' -a commit -d 'take the outputs as they are now, without running'
complete -c readcache -n '__readcache_is flow; and __readcache_first' -a save -d 'keep a file under a name'
complete -c readcache -n '__readcache_is flow; and __readcache_first' -a clear -d 'forget what is kept of a file'
complete -c readcache -n '__readcache_is flow' -l only -x -d 'run just this node, on the results of the others'
complete -c readcache -n '__readcache_is flow' -l rerun -x -d 'do this node again'
complete -c readcache -n '__readcache_is flow' -l no-cache -d 'do all nodes again'
complete -c readcache -n '__readcache_is flow' -l jobs -x -d 'so many nodes at the same time'
complete -c readcache -n '__readcache_is flow' -l approve -x -d 'approve it'
complete -c readcache -n '__readcache_is flow' -l resume -x -d 'go on with a run that was blocked or failed'
complete -c readcache -n '__readcache_is flow' -l explain -d 'tell what would be done and why'
complete -c readcache -n '__readcache_is flow' -l dry-run -d 'the same as --explain'
complete -c readcache -n '__readcache_is flow' -l exit-code -d 'status, --explain: 1 if something would be done'
complete -c readcache -n '__readcache_is flow' -l force -d 'checkout, save: replace what differs'
complete -c readcache -n '__readcache_is flow' -l only-missing -d 'checkout: leave alone what is there'
complete -c readcache -n '__readcache_is flow' -l all -d 'clear: forget what is kept of all files'
complete -c readcache -n '__readcache_is flow' -s q -l quiet -d 'only what the last node says'
complete -c readcache -n '__readcache_is flow' -l store -x -a '(__fish_complete_directories)' -d 'this store'
complete -c readcache -n '__readcache_is flow' -l json -d 'the same as one JSON object'

# memo
complete -c readcache -n '__readcache_is memo; and not __readcache_has key get set rm lookup record ls clear' -a key -d 'the key of an agent\'s call: 64 hexadecimal digits'
complete -c readcache -n '__readcache_is memo; and not __readcache_has key get set rm lookup record ls clear' -a get -d 'the value, if there is one and it is good'
complete -c readcache -n '__readcache_is memo; and not __readcache_has key get set rm lookup record ls clear' -a set -d 'keep standard input'
complete -c readcache -n '__readcache_is memo; and not __readcache_has key get set rm lookup record ls clear' -a rm -d 'remove these'
complete -c readcache -n '__readcache_is memo; and not __readcache_has key get set rm lookup record ls clear' -a lookup -d 'one phase as JSON on standard input: is there a result?'
complete -c readcache -n '__readcache_is memo; and not __readcache_has key get set rm lookup record ls clear' -a record -d 'the same with its result: keep it'
complete -c readcache -n '__readcache_is memo; and not __readcache_has key get set rm lookup record ls clear' -a ls -d 'all that is kept'
complete -c readcache -n '__readcache_is memo; and not __readcache_has key get set rm lookup record ls clear' -a clear -d 'remove all, or what --flow, --phase, --expired name'
complete -c readcache -n '__readcache_is memo' -l store -x -a '(__fish_complete_directories)' -d 'this store'
complete -c readcache -n '__readcache_is memo' -l ttl -x -d 'get: no older than D'
complete -c readcache -n '__readcache_is memo' -l file -r -F -d 'set: the value is in F'
complete -c readcache -n '__readcache_is memo' -l model -x -d 'key, set: the model'
complete -c readcache -n '__readcache_is memo' -l agent -x -d 'key: the agent that is called'
complete -c readcache -n '__readcache_is memo' -l system -x -d 'key: its system prompt'
complete -c readcache -n '__readcache_is memo' -l system-file -r -F -d 'key: its system prompt is in F'
complete -c readcache -n '__readcache_is memo' -l prompt -x -d 'key: a turn of the call'
complete -c readcache -n '__readcache_is memo' -l prompt-file -r -F -d 'key: a turn that is in F'
complete -c readcache -n '__readcache_is memo' -l lines -d 'lookup, record: a request on each line, an answer on each line, until end of input'
complete -c readcache -n '__readcache_is memo' -l flow -x -d 'clear: only results of this flow'
complete -c readcache -n '__readcache_is memo' -l phase -x -d 'clear: only results of this phase'
complete -c readcache -n '__readcache_is memo' -l expired -d 'clear: only results that have expired'
complete -c readcache -n '__readcache_is memo' -l explain -d 'why, on standard error'
complete -c readcache -n '__readcache_is memo' -l json -d 'one JSON object'

# cache
complete -c readcache -n '__readcache_is cache store; and not __readcache_has stats verify gc clear adopt settings' -a stats -d 'count what there is'
complete -c readcache -n '__readcache_is cache store; and not __readcache_has stats verify gc clear adopt settings' -a verify -d 'read everything'
complete -c readcache -n '__readcache_is cache store; and not __readcache_has stats verify gc clear adopt settings' -a gc -d 'remove what is old, or too much'
complete -c readcache -n '__readcache_is cache store; and not __readcache_has stats verify gc clear adopt settings' -a clear -d 'remove everything'
complete -c readcache -n '__readcache_is cache store; and not __readcache_has stats verify gc clear adopt settings' -a adopt -d 'use the project\'s store although it was not made by you on this machine: all that is in it will be believed'
complete -c readcache -n '__readcache_is cache store; and not __readcache_has stats verify gc clear adopt settings' -a settings -d 'the settings of the work cache and where they are from, or set one'
complete -c readcache -n '__readcache_is cache store; and __readcache_has settings' -a 'show ttl iteration-mode checkout-mode'
complete -c readcache -n '__readcache_is cache store' -l store -x -a '(__fish_complete_directories)' -d 'this store'
complete -c readcache -n '__readcache_is cache store' -s n -l dry-run -d 'verify, gc: tell, but remove nothing'
complete -c readcache -n '__readcache_is cache store' -l max-bytes -x -d 'gc: this size for versions, and for results'
complete -c readcache -n '__readcache_is cache store' -l max-age -x -d 'gc: so many days without a use'
complete -c readcache -n '__readcache_is cache store' -l json -d 'the same as one JSON object'

# config
complete -c readcache -n '__readcache_is config' -l json -d 'one JSON object'

# doctor
complete -c readcache -n '__readcache_is doctor' -l json -d 'one JSON object'
