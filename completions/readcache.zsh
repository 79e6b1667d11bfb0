#compdef readcache
# Completion of readcache(1) for zsh; installed as _readcache.
# Made by completions/make.mjs from the table of commands: do not edit.

_readcache_commands() {
	local -a commands=(
		'serve:one request per input line, until end of input'
		'read:the answer that a read gets'
		'status:what is known and saved on a session'\''s branch'
		'refresh:make the next read of a file give its text'
		'replay:what a recorded session'\''s leaf can trust, and why'
		'audit:check that recorded answers could be understood'
		'shadow:what readcache would have saved in a session'
		'report:a page to look at'
		'run:a command, or what it gave if nothing changed'
		'flow:run a workflow'
		'memo:results under keys: never ask the same twice'
		'cache:stats, gc, clear, adopt, settings: all that is kept'
		'store:stats, gc, clear, adopt, settings: all that is kept'
		'config:the settings in force, and where they come from'
		'doctor:what is installed, and what to do next'
	)
	_describe command commands
}

_readcache_flow_actions() {
	local -a actions=(
		'status:which nodes are kept'
		'validate:is the file correct?'
		'checkout:bring back the outputs that nodes made last'
		'commit:take the outputs as they are now, without running'
		'save:keep a file under a name'
		'clear:forget what is kept of a file'
	)
	_describe action actions
	_files
}

_readcache_memo_actions() {
	local -a actions=(
		'key:the key of an agent'\''s call: 64 hexadecimal digits'
		'get:the value, if there is one and it is good'
		'set:keep standard input'
		'rm:remove these'
		'lookup:one phase as JSON on standard input: is there a result?'
		'record:the same with its result: keep it'
		'ls:all that is kept'
		'clear:remove all, or what --flow, --phase, --expired name'
	)
	_describe action actions
}

_readcache_cache_actions() {
	local -a actions=(
		'stats:count what there is'
		'verify:read everything'
		'gc:remove what is old, or too much'
		'clear:remove everything'
		'adopt:use the project'\''s store although it was not made by you on this machine: all that is in it will be believed'
		'settings:the settings of the work cache and where they are from, or set one'
	)
	_describe action actions
}

_readcache_cache_words() {
	if (( $words[(I)settings] )); then compadd -- show ttl iteration-mode checkout-mode; fi
	return 0
}

_readcache() {
	local context state state_descr line
	typeset -A opt_args

	_arguments -C \
		'(- *)'{-h,--help}'[show help]' \
		'(- *)--version[show the version]' \
		'1: :_readcache_commands' \
		'*:: :->arguments'
	[[ $state == arguments ]] || return

	case $words[1] in
	serve)
		_arguments \
			'(- *)'{-h,--help}'[show help]'
		;;
	read)
		_arguments \
			'--offset[from line N on]:n:' \
			'--limit[N lines at most]:n:' \
			'--session[a pi session file]:file:_files' \
			'--leaf[the entry at which the read is made]:id:' \
			'--explain[say on standard error why it was answered so]' \
			'--json[the protocol'\''s answer]' \
			'(- *)'{-h,--help}'[show help]' \
			':path:_files'
		;;
	status)
		_arguments \
			'--session[a pi session file]:file:_files' \
			'--leaf[the branch that ends there]:id:' \
			'--json[the protocol'\''s answer]' \
			'(- *)'{-h,--help}'[show help]'
		;;
	refresh)
		_arguments \
			'--session[the session]:file:_files' \
			'(-n --dry-run)'{-n,--dry-run}'[append nothing]' \
			'--json[show the entry]' \
			'(- *)'{-h,--help}'[show help]' \
			':path:_files'
		;;
	replay)
		_arguments \
			'--leaf[the branch that ends there]:id:' \
			'--all-leaves[every tip of the session'\''s tree]' \
			'--json[for programs]' \
			'(- *)'{-h,--help}'[show help]' \
			':file:_files'
		;;
	audit)
		_arguments \
			'(-q --quiet)'{-q,--quiet}'[violations only]' \
			'--json[for programs]' \
			'(- *)'{-h,--help}'[show help]' \
			'*:file:_files'
		;;
	shadow)
		_arguments \
			'--policy[pieces]:name:(strict coverage pieces)' \
			'--files[how many files to list, most saved first]:n:' \
			'--json[for programs]' \
			'--reads[with --json: list every read, too]' \
			'(- *)'{-h,--help}'[show help]' \
			'*:file:_files'
		;;
	report)
		_arguments \
			'(-o --output)'{-o,--output}'[write the page there]:page:_files' \
			'--json[for programs, on standard output]' \
			'(- *)'{-h,--help}'[show help]' \
			'*:file:_files'
		;;
	run)
		_arguments -S \
			'*--dep[a file, a directory or a pattern it reads]:path:_files' \
			'*--code[the same for the program itself]:path:_files' \
			'*--param[a parameter]:name=value:' \
			'*--env[a variable of the environment]:name:_parameters -g "*export*"' \
			'*--fp[a fingerprint: git:REF, glob:PATTERN, glob!:PATTERN, file:PATH or env:NAME]:spec:' \
			'--stdin[pass standard input on]' \
			'*--out[a file or directory it makes, below the current directory]:path:_files' \
			'*--out-not-kept[the same, but no copy is kept: without it COMMAND is run]:path:_files' \
			'(-n --name)'{-n,--name}'[the name of this work, under which its last state is kept]:name:' \
			'--ttl[a result that is older is not used]:duration:' \
			'--force[run it in any case]' \
			'--no-commit[keep nothing of this run]' \
			'--cache-failures[keep and repeat failures too]' \
			'--checkout-mode[how outputs are put back: hardlink, symlink, copy, or several in their order, with commas]:m:(hardlink symlink copy)' \
			'--explain[tell on standard error what was decided and why]' \
			'--dry-run[tell only that]' \
			'--json[one JSON object instead of the command'\''s words]' \
			'--store[this store]:dir:_files -/' \
			'(- *)'{-h,--help}'[show help]' \
			'(-)1:command:_command_names -e' \
			'*::argument:_normal'
		;;
	flow)
		_arguments \
			'--only[run just this node, on the results of the others]:node:' \
			'*--rerun[do this node again]:node:' \
			'--no-cache[do all nodes again]' \
			'--jobs[so many nodes at the same time]:n:' \
			'*--approve[approve it]:node:' \
			'--resume[go on with a run that was blocked or failed]:run:' \
			'--explain[tell what would be done and why]' \
			'--dry-run[the same as --explain]' \
			'--exit-code[status, --explain: 1 if something would be done]' \
			'--force[checkout, save: replace what differs]' \
			'--only-missing[checkout: leave alone what is there]' \
			'--all[clear: forget what is kept of all files]' \
			'(-q --quiet)'{-q,--quiet}'[only what the last node says]' \
			'--store[this store]:dir:_files -/' \
			'--json[the same as one JSON object]' \
			'(- *)'{-h,--help}'[show help]' \
			'1:action:_readcache_flow_actions' \
			'*:file:_files'
		;;
	memo)
		_arguments \
			'--store[this store]:dir:_files -/' \
			'--ttl[get: no older than D]:d:' \
			'--file[set: the value is in F]:f:_files' \
			'--model[key, set: the model]:m:' \
			'--agent[key: the agent that is called]:a:' \
			'--system[key: its system prompt]:s:' \
			'--system-file[key: its system prompt is in F]:f:_files' \
			'*--prompt[key: a turn of the call]:p:' \
			'*--prompt-file[key: a turn that is in F]:f:_files' \
			'--lines[lookup, record: a request on each line, an answer on each line, until end of input]' \
			'--flow[clear: only results of this flow]:f:' \
			'--phase[clear: only results of this phase]:p:' \
			'--expired[clear: only results that have expired]' \
			'--explain[why, on standard error]' \
			'--json[one JSON object]' \
			'(- *)'{-h,--help}'[show help]' \
			'1:action:_readcache_memo_actions' \
			'*:word:'
		;;
	cache | store)
		_arguments \
			'--store[this store]:dir:_files -/' \
			'(-n --dry-run)'{-n,--dry-run}'[verify, gc: tell, but remove nothing]' \
			'--max-bytes[gc: this size for versions, and for results]:n:' \
			'--max-age[gc: so many days without a use]:n:' \
			'--json[the same as one JSON object]' \
			'(- *)'{-h,--help}'[show help]' \
			'1:action:_readcache_cache_actions' \
			':word:_readcache_cache_words'
		;;
	config)
		_arguments \
			'--json[one JSON object]' \
			'(- *)'{-h,--help}'[show help]'
		;;
	doctor)
		_arguments \
			'--json[one JSON object]' \
			'(- *)'{-h,--help}'[show help]'
		;;
	esac
}

if [[ $funcstack[1] == _readcache ]]; then
	_readcache "$@"
else
	compdef _readcache readcache
fi
