#compdef readcache
# Completion of readcache(1) for zsh; installed as _readcache.

_readcache_commands() {
	local -a commands=(
		'read:the answer that a read gets'
		'status:what is known and saved on a branch of a session'
		'refresh:make the next read of a file give its text'
		'replay:what a leaf of a recorded session can trust'
		'audit:check that recorded answers could be understood'
		'shadow:what would have been saved in a session'
		'report:a page about sessions'
		'run:a command, or what it gave if nothing changed'
		'flow:a workflow; what is unchanged is not done again'
		'memo:results of work under keys'
		'cache:all that is kept'
		'store:the same as cache'
		'config:the settings in force and where they come from'
		'doctor:what is installed and what to do next'
		'serve:one request per input line'
	)
	_describe command commands
}

_readcache_flow() {
	local -a actions=(
		'status:which nodes are kept'
		'validate:all mistakes of a file'
		'checkout:bring back outputs'
		'commit:take outputs as they are'
		'save:keep a file under a name'
		'clear:forget what is kept'
	)
	_describe action actions
	_files
}

_readcache() {
	local context state state_descr line
	typeset -A opt_args
	local json='--json[for programs]'
	local session='--session[a pi session file]:session file:_files'
	local leaf='--leaf[the entry where the branch ends]:entry id:'

	_arguments -C \
		'(- *)'{-h,--help}'[show help]' \
		'(- *)--version[show the version]' \
		'1: :_readcache_commands' \
		'*:: :->arguments'
	[[ $state == arguments ]] || return

	case $words[1] in
	read)
		_arguments '--offset[from this line on]:line:' \
			'--limit[so many lines]:lines:' \
			$session $leaf '--explain[say why]' $json \
			'(- *)'{-h,--help}'[show help]' ':file:_files'
		;;
	status)
		_arguments $session $leaf $json '(- *)'{-h,--help}'[show help]'
		;;
	refresh)
		_arguments $session '(-n --dry-run)'{-n,--dry-run}'[append nothing]' \
			$json '(- *)'{-h,--help}'[show help]' ':file:_files' ':lines, first-last:'
		;;
	replay)
		_arguments '(--all-leaves)'$leaf \
			'(--leaf)--all-leaves[every tip of the tree]' $json \
			'(- *)'{-h,--help}'[show help]' ':session file:_files'
		;;
	audit)
		_arguments '(-q --quiet)'{-q,--quiet}'[violations only]' $json \
			'(- *)'{-h,--help}'[show help]' '*:session file:_files'
		;;
	shadow)
		_arguments '--policy[the policy]:policy:(strict coverage)' \
			'--files[how many files to list]:files:' $json \
			'(- *)'{-h,--help}'[show help]' '*:session file:_files'
		;;
	report)
		_arguments '(-o --output)'{-o,--output}'[the page to write]:page:_files' $json \
			'(- *)'{-h,--help}'[show help]' '*:session file:_files'
		;;
	run)
		_arguments -S '(-n --name)'{-n,--name}'[the name of this work]:name:' \
			'*--dep[what it reads]:path:_files' '*--code[the program]:path:_files' \
			'*--param[a parameter]:name=value:' '*--env[a variable]:name:_parameters -g "*export*"' \
			'*--fp[a fingerprint]:spec:' '--stdin[pass standard input on]' \
			'*--out[what it makes]:path:_files' '*--out-not-kept[the same, without a copy]:path:_files' \
			'--ttl[no older than]:duration:' '--force[run it in any case]' \
			'--no-commit[keep nothing]' '--cache-failures[keep failures too]' \
			'--checkout-mode[how outputs come back]:mode:(hardlink symlink copy)' \
			'--explain[say why]' '--dry-run[say only that]' $json \
			'--store[this store]:store:_files -/' \
			'(- *)'{-h,--help}'[show help]' '(-)1:command:_command_names -e' '*::argument:_normal'
		;;
	flow)
		_arguments '--only[just this node]:node:' '*--rerun[do this node again]:node:' \
			'--no-cache[do all nodes again]' '--jobs[so many at the same time]:number:' \
			'*--approve[approve it]:node:' '--resume[go on with this run]:run:' \
			'(--dry-run)--explain[say what would be done and why]' \
			'(--explain)--dry-run[say what would be done and why]' \
			'--exit-code[1 if something would be done]' \
			'--force[replace what differs]' '--only-missing[leave alone what is there]' \
			'--all[clear all sessions]' '(-q --quiet)'{-q,--quiet}'[only what the last node says]' $json \
			'--store[this store]:store:_files -/' '(- *)'{-h,--help}'[show help]' \
			'1:workflow or action:_readcache_flow' '*:workflow, input or node:_files'
		;;
	memo)
		_arguments '--store[this store]:store:_files -/' \
			'--ttl[no older than; good for]:duration:' \
			'--file[the value]:file:_files' '--agent[its name]:agent:' \
			'--system[the system prompt]:text:' \
			'--system-file[the system prompt]:file:_files' \
			'*--prompt[a turn]:text:' '*--prompt-file[a turn]:file:_files' \
			'--model[the model]:model:' '--flow[of this flow]:flow:' \
			'--phase[of this phase]:phase:' '--expired[expired ones]' \
			'--lines[a request on each line]' '--explain[say why]' $json \
			'(- *)'{-h,--help}'[show help]' \
			':action:(key get set rm lookup record ls clear)' '*:key:'
		;;
	cache | store)
		_arguments '--store[this store]:store:_files -/' \
			'(-n --dry-run)'{-n,--dry-run}'[remove nothing]' \
			'--max-bytes[the size for gc]:bytes, K, M, G:' \
			'--max-age[days without a use, for gc]:days:' $json \
			'(- *)'{-h,--help}'[show help]' \
			':action:((stats\:"count what is kept" verify\:"remove what is damaged" gc\:"bring it within its limits" clear\:"remove everything" adopt\:"take over a store" settings\:"of the work cache"))' \
			':setting:(show ttl iteration-mode checkout-mode)' ':value:'
		;;
	config | doctor)
		_arguments $json '(- *)'{-h,--help}'[show help]'
		;;
	esac
}

if [[ $funcstack[1] == _readcache ]]; then
	_readcache "$@"
else
	compdef _readcache readcache
fi
