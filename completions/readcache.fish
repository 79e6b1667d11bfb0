# Completion of readcache(1) for fish.

set -l commands read status refresh replay audit shadow report memo cache store config doctor serve
set -l none "not __fish_seen_subcommand_from $commands"
set -l actions stats verify gc clear settings
set -l memo key get set rm lookup record ls clear

complete -c readcache -f
complete -c readcache -n $none -l version -d 'Show the version'
complete -c readcache -s h -l help -d 'Show help'

complete -c readcache -n $none -a read -d 'The answer that a read gets'
complete -c readcache -n $none -a status -d 'What is known and saved on a branch of a session'
complete -c readcache -n $none -a refresh -d 'Make the next read of a file give its text'
complete -c readcache -n $none -a replay -d 'What a leaf of a recorded session can trust'
complete -c readcache -n $none -a audit -d 'Check that recorded answers could be understood'
complete -c readcache -n $none -a shadow -d 'What would have been saved in a session'
complete -c readcache -n $none -a report -d 'A page about sessions'
complete -c readcache -n $none -a memo -d 'Results of work under keys'
complete -c readcache -n $none -a cache -d 'All that is kept'
complete -c readcache -n $none -a store -d 'The same as cache'
complete -c readcache -n $none -a config -d 'The settings in force and where they come from'
complete -c readcache -n $none -a doctor -d 'What is installed and what to do next'
complete -c readcache -n $none -a serve -d 'One request per input line'

# Arguments that are files.
complete -c readcache -n '__fish_seen_subcommand_from read refresh replay audit shadow report' -F

complete -c readcache -n '__fish_seen_subcommand_from read status refresh replay audit shadow report memo cache store config doctor' \
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
complete -c readcache -n '__fish_seen_subcommand_from memo cache store' -l store -x -a '(__fish_complete_directories)' -d 'This store'
complete -c readcache -n '__fish_seen_subcommand_from cache store' -l max-bytes -x -d 'The size for gc'
complete -c readcache -n '__fish_seen_subcommand_from cache store' -l max-age -x -d 'Days without a use, for gc'
complete -c readcache -n "__fish_seen_subcommand_from cache store; and not __fish_seen_subcommand_from $actions" -a 'stats\t"Count what is kept" verify\t"Remove what is damaged" gc\t"Bring it within its limits" clear\t"Remove everything" settings\t"Of the work cache"'
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
