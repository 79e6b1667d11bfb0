// The completion for bash.
import { flagsOf, namesOf, optionsOf, takesValue } from "./table.mjs";

/** How the value of an option is completed; $word is what is typed of it. */
const VALUES = {
	files: () => '_readcache_files "$3"',
	directories: () => '_readcache_directories "$3"',
	variables: () => 'mapfile -t COMPREPLY < <(compgen -e -- "$3")',
	words: (words) => `_readcache_words "${words}" "$3"`,
	nothing: () => ": # only the user knows it",
};

/** "PATTERN | PATTERN)" and COMMAND, as a case of a shell. */
const branch = (patterns, command) => `\t${patterns.join(" | \\\n\t\t")})\n\t\t${command}\n\t\t;;\n`;

/** The cases of options that take a value, those of one kind together. */
function values(commands) {
	const kinds = new Map();
	for (const command of commands)
		for (const option of command.options.filter(takesValue)) {
			const how = VALUES[option.offer](option.words);
			const patterns = flagsOf(option).map((flag) => `"${command.name} ${flag}"`);
			kinds.set(how, [...(kinds.get(how) ?? []), ...patterns]);
		}
	return [...kinds].map(([how, patterns]) => branch(patterns, how)).join("");
}

/** What is offered where no option and no value stands. */
function words(command) {
	const names = command.actions.map((action) => action.name);
	if (command.offer === "commands") return "_readcache_program \"$word\"";
	if (names.length === 0) return command.offer === "files" ? '_readcache_files "$word"' : undefined;
	if (command.offer === "files")
		return `_readcache_files "$word"\n\t\t[ "$COMP_CWORD" -ne 2 ] || _readcache_more "${names.join(" ")}" "$word"`;
	const followed = command.actions.filter((action) => action.words).map((action) => `${action.name}) _readcache_words "${action.words}" "$word" ;;`);
	return `case $(_readcache_action ${names.join(" ")}) in
		"") _readcache_words "${names.join(" ")}" "$word" ;;${followed.map((line) => `\n\t\t${line}`).join("")}
		esac`;
}

export function bash(commands) {
	const older = commands.filter((command) => command.older).map((command) => `\t${command.older}) command=${command.name} ;;\n`);
	const wrapping = commands.filter((command) => command.wraps);
	const skipped = wrapping.flatMap((command) => command.options.filter(takesValue).flatMap(flagsOf));
	return `# Completion of readcache(1) for bash; no bash-completion is needed.
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
	mapfile -t -O \${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$1" -- "$2")
}

# A program, here or on PATH.
_readcache_program() {
	_readcache_files "$1"
	[ "$1" = "" ] || mapfile -t -O \${#COMPREPLY[@]} COMPREPLY < <(compgen -c -- "$1")
}

# The options of a command.
_readcache_options() {
	case $1 in
${commands.map((command) => `\t${command.name}) echo ${optionsOf(command).map((option) => `--${option.name}`).join(" ")} ;;\n`).join("")}	esac
}

# Complete $3, the value of the option $2 of the command $1; false if that takes
# none.
_readcache_value() {
	case "$1 $2" in
${values(commands)}	*) return 1 ;;
	esac
}

# Which of these words is typed already, after the command's name.
_readcache_action() {
	local i name
	for ((i = 2; i < COMP_CWORD; i++)); do
		for name; do
			[ "\${COMP_WORDS[i]}" != "$name" ] || {
				echo "$name"
				return
			}
		done
	done
}

# Where the program that is run begins, in $at; false if it is not typed yet.
_readcache_wrapped() {
	for ((at = 2; at < COMP_CWORD; at++)); do
		case \${COMP_WORDS[at]} in
		--)
			((++at < COMP_CWORD))
			return
			;;
		${skipped.join(" | ")})
			((at++))
			# bash takes "--dep=x" for three words
			[ "\${COMP_WORDS[at]}" != = ] || ((at++))
			;;
		-*) ;;
		*) return 0 ;;
		esac
	done
	return 1
}

_readcache() {
	local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
	local command=\${COMP_WORDS[1]} at
	COMPREPLY=()

	if [ "$COMP_CWORD" -eq 1 ]; then
		_readcache_words "${commands.flatMap(namesOf).join(" ")} --help --version" "$word"
		return
	fi
	case $command in
${older.join("")}	${wrapping.map((command) => command.name).join(" | ")})
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
${commands.filter(words).map((command) => branch([command.name], words(command))).join("")}	esac
}

complete -F _readcache readcache
`;
}
