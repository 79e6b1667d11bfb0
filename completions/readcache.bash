# Completion of readcache(1) for bash; no bash-completion is needed.
# Made by completions/make.mjs from the table of commands: do not edit.

# Complete names of files, with what the shell needs around them.
_readcache_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_readcache_directories() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -d -- "$1")
}

_readcache_words() {
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# The same, beside what is offered already.
_readcache_more() {
	mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$1" -- "$2")
}

# A program, here or on PATH.
_readcache_program() {
	_readcache_files "$1"
	[ "$1" = "" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -c -- "$1")
}

# The options of a command.
_readcache_options() {
	case $1 in
	serve) echo --help ;;
	read) echo --offset --limit --session --leaf --explain --json --help ;;
	status) echo --session --leaf --json --help ;;
	refresh) echo --session --dry-run --json --help ;;
	replay) echo --leaf --all-leaves --json --help ;;
	audit) echo --quiet --json --help ;;
	shadow) echo --policy --files --json --reads --help ;;
	report) echo --output --json --help ;;
	run) echo --dep --code --param --env --fp --stdin --out --out-not-kept --name --ttl --force --no-commit --cache-failures --checkout-mode --explain --dry-run --json --store --help ;;
	flow) echo --only --rerun --no-cache --jobs --approve --resume --explain --dry-run --exit-code --force --only-missing --all --quiet --store --json --help ;;
	memo) echo --store --ttl --file --model --agent --system --system-file --prompt --prompt-file --lines --flow --phase --expired --explain --json --help ;;
	cache) echo --store --dry-run --max-bytes --max-age --json --help ;;
	config) echo --json --help ;;
	doctor) echo --json --help ;;
	esac
}

# Complete $3, the value of the option $2 of the command $1; false if that takes
# none.
_readcache_value() {
	case "$1 $2" in
	"read --offset" | \
		"read --limit" | \
		"read --leaf" | \
		"status --leaf" | \
		"replay --leaf" | \
		"shadow --files" | \
		"run --param" | \
		"run --fp" | \
		"run -n" | \
		"run --name" | \
		"run --ttl" | \
		"flow --only" | \
		"flow --rerun" | \
		"flow --jobs" | \
		"flow --approve" | \
		"flow --resume" | \
		"memo --ttl" | \
		"memo --model" | \
		"memo --agent" | \
		"memo --system" | \
		"memo --prompt" | \
		"memo --flow" | \
		"memo --phase" | \
		"cache --max-bytes" | \
		"cache --max-age")
		: # only the user knows it
		;;
	"read --session" | \
		"status --session" | \
		"refresh --session" | \
		"report -o" | \
		"report --output" | \
		"run --dep" | \
		"run --code" | \
		"run --out" | \
		"run --out-not-kept" | \
		"memo --file" | \
		"memo --system-file" | \
		"memo --prompt-file")
		_readcache_files "$3"
		;;
	"shadow --policy")
		_readcache_words "strict coverage pieces" "$3"
		;;
	"run --env")
		mapfile -t COMPREPLY < <(compgen -e -- "$3")
		;;
	"run --checkout-mode")
		_readcache_words "hardlink symlink copy" "$3"
		;;
	"run --store" | \
		"flow --store" | \
		"memo --store" | \
		"cache --store")
		_readcache_directories "$3"
		;;
	*) return 1 ;;
	esac
}

# Which of these words is typed already, after the command's name.
_readcache_action() {
	local i name
	for ((i = 2; i < COMP_CWORD; i++)); do
		for name; do
			[ "${COMP_WORDS[i]}" != "$name" ] || {
				echo "$name"
				return
			}
		done
	done
}

# Where the program that is run begins, in $at; false if it is not typed yet.
_readcache_wrapped() {
	for ((at = 2; at < COMP_CWORD; at++)); do
		case ${COMP_WORDS[at]} in
		--)
			((++at < COMP_CWORD))
			return
			;;
		--dep | --code | --param | --env | --fp | --out | --out-not-kept | -n | --name | --ttl | --checkout-mode | --store)
			((at++))
			# bash takes "--dep=x" for three words
			[ "${COMP_WORDS[at]}" != = ] || ((at++))
			;;
		-*) ;;
		*) return 0 ;;
		esac
	done
	return 1
}

_readcache() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} at
	COMPREPLY=()

	if [ "$COMP_CWORD" -eq 1 ]; then
		_readcache_words "serve read status refresh replay audit shadow report run flow memo cache store config doctor --help --version" "$word"
		return
	fi
	case $command in
	store) command=cache ;;
	run)
		if _readcache_wrapped; then
			if declare -F _command_offset >/dev/null; then
				_command_offset "$at" # of bash-completion, if it is there
			else
				_readcache_files "$word"
			fi
			return
		fi
		;;
	esac
	! _readcache_value "$command" "$before" "$word" || return 0
	if [[ $word == -* ]]; then
		_readcache_words "$(_readcache_options "$command")" "$word"
		return
	fi
	case $command in
	read)
		_readcache_files "$word"
		;;
	refresh)
		_readcache_files "$word"
		;;
	replay)
		_readcache_files "$word"
		;;
	audit)
		_readcache_files "$word"
		;;
	shadow)
		_readcache_files "$word"
		;;
	report)
		_readcache_files "$word"
		;;
	run)
		_readcache_program "$word"
		;;
	flow)
		_readcache_files "$word"
		[ "$COMP_CWORD" -ne 2 ] || _readcache_more "status validate checkout commit save clear" "$word"
		;;
	memo)
		case $(_readcache_action key get set rm lookup record ls clear) in
		"") _readcache_words "key get set rm lookup record ls clear" "$word" ;;
		esac
		;;
	cache)
		case $(_readcache_action stats verify gc clear adopt settings) in
		"") _readcache_words "stats verify gc clear adopt settings" "$word" ;;
		settings) _readcache_words "show ttl iteration-mode checkout-mode" "$word" ;;
		esac
		;;
	esac
}

complete -F _readcache readcache
