# Completion of readcache(1) for fish.

set -l commands read status refresh replay audit shadow report run flow memo cache store config doctor serve
set -l none "not __fish_seen_subcommand_from $commands"
set -l actions stats verify gc clear adopt settings
set -l memo key get set rm lookup record ls clear

# What follows `run`: its command with all that is behind it, one to a line.
# Nothing, and false, if that is not typed yet.
function __readcache_command
    set -l words (commandline -opc)
    test "$words[2]" = run; or return 1
    set -e words[1..2]
    while set -q words[1]
        switch $words[1]
            case --
                set -e words[1]
                break
            case -n --name --dep --code --param --env --fp --out --out-not-kept --ttl --checkout-mode --store
                set -e words[1]
            case '-*'
            case '*'
                break
        end
        set -e words[1]
    end
    set -q words[1]; and printf '%s\n' $words
end

# What fish offers for the command of `run`, or for its name.
function __readcache_complete_command
    set -l words (__readcache_command | string escape)
    set -l word (commandline -ct)
    if set -q words[1]
        complete -C "$words $word"
    else if not string match -q -- '-*' "$word"
        complete -C "$word"
    end
end

set -l run '__fish_seen_subcommand_from run; and not __readcache_command >/dev/null'

complete -c readcache -f
complete -c readcache -n $none -l version -d 'Show the version'
complete -c readcache -n 'not __readcache_command >/dev/null' -s h -l help -d 'Show help'

complete -c readcache -n $none -a read -d 'The answer that a read gets'
complete -c readcache -n $none -a status -d 'What is known and saved on a branch of a session'
complete -c readcache -n $none -a refresh -d 'Make the next read of a file give its text'
complete -c readcache -n $none -a replay -d 'What a leaf of a recorded session can trust'
complete -c readcache -n $none -a audit -d 'Check that recorded answers could be understood'
complete -c readcache -n $none -a shadow -d 'What would have been saved in a session'
complete -c readcache -n $none -a report -d 'A page about sessions'
complete -c readcache -n $none -a run -d 'A command, or what it gave if nothing changed'
complete -c readcache -n $none -a flow -d 'A workflow; what is unchanged is not done again'
complete -c readcache -n $none -a memo -d 'Results of work under keys'
complete -c readcache -n $none -a cache -d 'All that is kept'
complete -c readcache -n $none -a store -d 'The same as cache'
complete -c readcache -n $none -a config -d 'The settings in force and where they come from'
complete -c readcache -n $none -a doctor -d 'What is installed and what to do next'
complete -c readcache -n $none -a serve -d 'One request per input line'

# Arguments that are files.
complete -c readcache -n '__fish_seen_subcommand_from read refresh replay audit shadow report flow; and not __fish_seen_subcommand_from run' -F

complete -c readcache -n '__fish_seen_subcommand_from read status refresh replay audit shadow report run flow memo cache store config doctor; and not __readcache_command >/dev/null' \
    -l json -d 'For programs'
complete -c readcache -n '__fish_seen_subcommand_from read status refresh' -l session -r -F -d 'A pi session file'
complete -c readcache -n '__fish_seen_subcommand_from read status replay' -l leaf -x -d 'The entry where the branch ends'
complete -c readcache -n '__fish_seen_subcommand_from read' -l offset -x -d 'From this line on'
complete -c readcache -n '__fish_seen_subcommand_from read' -l limit -x -d 'So many lines'
complete -c readcache -n '__fish_seen_subcommand_from read' -l explain -d 'Say why'
complete -c readcache -n '__fish_seen_subcommand_from refresh cache store' -s n -l dry-run -d 'Change nothing'
complete -c readcache -n '__fish_seen_subcommand_from replay' -l all-leaves -d 'Every tip of the tree'
complete -c readcache -n '__fish_seen_subcommand_from audit' -s q -l quiet -d 'Violations only'
complete -c readcache -n '__fish_seen_subcommand_from shadow' -l policy -x -a 'strict coverage' -d 'The policy'
complete -c readcache -n '__fish_seen_subcommand_from shadow' -l files -x -d 'How many files to list'
complete -c readcache -n '__fish_seen_subcommand_from report' -s o -l output -r -F -d 'The page to write'
complete -c readcache -n '__fish_seen_subcommand_from run flow memo cache store; and not __readcache_command >/dev/null' -l store -x -a '(__fish_complete_directories)' -d 'This store'
complete -c readcache -n '__fish_seen_subcommand_from cache store' -l max-bytes -x -d 'The size for gc'
complete -c readcache -n '__fish_seen_subcommand_from cache store' -l max-age -x -d 'Days without a use, for gc'
complete -c readcache -n "__fish_seen_subcommand_from cache store; and not __fish_seen_subcommand_from $actions" -a 'stats\t"Count what is kept" verify\t"Remove what is damaged" gc\t"Bring it within its limits" clear\t"Remove everything" adopt\t"Take over a store" settings\t"Of the work cache"'
complete -c readcache -n '__fish_seen_subcommand_from settings' -a 'show ttl iteration-mode checkout-mode'
complete -c readcache -n "__fish_seen_subcommand_from memo; and not __fish_seen_subcommand_from $memo" -a 'key\t"The key of a call" get\t"The value of a key" set\t"Keep a value" rm\t"Remove keys" lookup\t"Ask about a phase" record\t"Keep the result of a phase" ls\t"All that is kept" clear\t"Remove results"'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l ttl -x -d 'No older than; good for'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l file -r -F -d 'The value'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l agent -x -d 'The name of the agent'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l system -x -d 'The system prompt'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l system-file -r -F -d 'The system prompt'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l prompt -x -d 'A turn'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l prompt-file -r -F -d 'A turn'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l model -x -d 'The model'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l flow -x -d 'Of this flow only'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l phase -x -d 'Of this phase only'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l expired -d 'Expired ones only'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l lines -d 'A request on each line'
complete -c readcache -n '__fish_seen_subcommand_from memo' -l explain -d 'Say why'
complete -c readcache -n '__fish_seen_subcommand_from run' -a '(__readcache_complete_command)'
complete -c readcache -n $run -s n -l name -x -d 'The name of this work'
complete -c readcache -n $run -l dep -r -F -d 'What it reads'
complete -c readcache -n $run -l code -r -F -d 'The program'
complete -c readcache -n $run -l param -x -d 'A parameter, name=value'
complete -c readcache -n $run -l env -x -a '(set -nx)' -d 'A variable of the environment'
complete -c readcache -n $run -l fp -x -d 'A fingerprint'
complete -c readcache -n $run -l stdin -d 'Pass standard input on'
complete -c readcache -n $run -l out -r -F -d 'What it makes'
complete -c readcache -n $run -l out-not-kept -r -F -d 'The same, without a copy'
complete -c readcache -n $run -l ttl -x -d 'No older than'
complete -c readcache -n $run -l force -d 'Run it in any case'
complete -c readcache -n $run -l no-commit -d 'Keep nothing'
complete -c readcache -n $run -l cache-failures -d 'Keep failures too'
complete -c readcache -n $run -l checkout-mode -x -a 'hardlink symlink copy' -d 'How outputs come back'
complete -c readcache -n $run -l explain -d 'Say why'
complete -c readcache -n $run -l dry-run -d 'Say only what would be done'
set -l flow status validate checkout commit save clear
complete -c readcache -n "__fish_seen_subcommand_from flow; and not __fish_seen_subcommand_from $flow" -a 'status\t"Which nodes are kept" validate\t"All mistakes of a file" checkout\t"Bring back outputs" commit\t"Take outputs as they are" save\t"Keep a file under a name" clear\t"Forget what is kept"'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l only -x -d 'Just this node'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l rerun -x -d 'Do this node again'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l no-cache -d 'Do all nodes again'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l jobs -x -d 'So many at the same time'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l approve -x -d 'Approve it'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l resume -x -d 'Go on with this run'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l explain -d 'Say what would be done and why'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l dry-run -d 'The same'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l exit-code -d '1 if something would be done'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l force -d 'Replace what differs'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l only-missing -d 'Leave alone what is there'
complete -c readcache -n '__fish_seen_subcommand_from flow' -l all -d 'Clear all sessions'
complete -c readcache -n '__fish_seen_subcommand_from flow' -s q -l quiet -d 'Only what the last node says'
