# Completion of readcache(1) for bash; no bash-completion is needed.

# Complete names of files, with what the shell needs around them.
_readcache_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_readcache_words() {
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# The options of a command.
_readcache_options() {
	case $1 in
	read) echo --offset --limit --session --leaf --explain --json ;;
	status) echo --session --leaf --json ;;
	refresh) echo --session --dry-run --json ;;
	replay) echo --leaf --all-leaves --json ;;
	audit) echo --quiet --json ;;
	shadow) echo --policy --files --json ;;
	report) echo --output --json ;;
	memo)
		echo --store --ttl --file --agent --system --system-file --prompt \
			--prompt-file --model --flow --phase --expired --lines \
			--explain --json
		;;
	cache | store) echo --store --dry-run --max-bytes --max-age --json ;;
	run)
		echo --name --dep --code --param --env --fp --stdin --out \
			--out-not-kept --ttl --force --no-commit --cache-failures \
			--checkout-mode --explain --dry-run --json --store
		;;
	flow)
		echo --only --rerun --no-cache --jobs --approve --resume --explain \
			--dry-run --exit-code --force --only-missing --all --quiet \
			--json --store
		;;
	config | doctor) echo --json ;;
	esac
	echo --help
}

# Where the command of `run` stands, in $at; false if it is not typed yet.
_readcache_command() {
	for ((at = 2; at < COMP_CWORD; at++)); do
		case ${COMP_WORDS[at]} in
		--)
			((++at < COMP_CWORD))
			return
			;;
		-n | --name | --dep | --code | --param | --env | --fp | --out | \
			--out-not-kept | --ttl | --checkout-mode | --store)
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
	local command=${COMP_WORDS[1]} i at
	COMPREPLY=()

	if [ "$COMP_CWORD" -eq 1 ]; then
		_readcache_words "read status refresh replay audit shadow report
			run flow memo cache store config doctor serve --help --version" "$word"
		return
	fi
	if [ "$command" = run ] && _readcache_command; then
		if declare -F _command_offset >/dev/null; then
			_command_offset "$at" # of bash-completion, if it is there
		else
			_readcache_files "$word"
		fi
		return
	fi
	case $before in
	-n) [ "$command" != run ] || return ;;
	--session | -o | --output | --file | --system-file | --prompt-file | \
		--dep | --code | --out | --out-not-kept)
		_readcache_files "$word"
		return
		;;
	--store)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	--env)
		mapfile -t COMPREPLY < <(compgen -e -- "$word")
		return
		;;
	--checkout-mode)
		_readcache_words "hardlink symlink copy" "$word"
		return
		;;
	--policy)
		_readcache_words "strict coverage" "$word"
		return
		;;
	--offset | --limit | --leaf | --files | --max-bytes | --max-age | --ttl | \
		--agent | --system | --prompt | --model | --flow | --phase | \
		--name | --param | --fp | --only | --rerun | --jobs | \
		--approve | --resume)
		return # a value that only the user knows
		;;
	esac
	if [[ $word == -* ]]; then
		_readcache_words "$(_readcache_options "$command")" "$word"
		return
	fi
	case $command in
	read | refresh | replay | audit | shadow | report)
		_readcache_files "$word"
		;;
	run)
		_readcache_files "$word"
		[ "$word" = "" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -c -- "$word")
		;;
	flow)
		_readcache_files "$word"
		[ "$COMP_CWORD" -ne 2 ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "status validate checkout commit save clear" -- "$word")
		;;
	memo)
		for ((i = 2; i < COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			key | get | set | rm | lookup | record | ls | clear) return ;;
			esac
		done
		_readcache_words "key get set rm lookup record ls clear" "$word"
		;;
	cache | store)
		for ((i = 2; i < COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			settings)
				_readcache_words "show ttl iteration-mode checkout-mode" "$word"
				return
				;;
			stats | verify | gc | clear) return ;;
			esac
		done
		_readcache_words "stats verify gc clear settings" "$word"
		;;
	esac
}

complete -F _readcache readcache
