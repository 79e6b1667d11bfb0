// The completion for zsh.
import { brief, flagsOf, HELP, namesOf, quote, takesValue } from "./table.mjs";

/** How a value is completed. */
const VALUES = {
	files: () => "_files",
	directories: () => "_files -/",
	variables: () => '_parameters -g "*export*"',
	words: (words) => `(${words})`,
	nothing: () => "",
};

/** TEXT in the brackets of a specification. */
const bracketed = (text) => `[${brief(text).replace(/[[\]]/g, "\\$&")}]`;

/** OPTION as _arguments wants it. */
function specification(option) {
	const flags = flagsOf(option), repeats = option.repeats ? "*" : "";
	const value = takesValue(option) ? `:${option.value.toLowerCase()}:${VALUES[option.offer](option.words)}` : "";
	const about = quote(bracketed(option.help) + value);
	if (option === HELP) return `'(- *)'{${flags}}${about}`;
	if (flags.length === 1) return quote(repeats + flags[0] + bracketed(option.help) + value);
	return repeats ? `'*'{${flags}}${about}` : `'(${flags.join(" ")})'{${flags}}${about}`;
}

/** A list of names, each with what it is, for _describe. */
const described = (items) => items.map(([name, help]) => `\t\t${quote(`${name}:${brief(help)}`)}\n`).join("");

/** A function that offers the actions of COMMAND. */
const actions = (command) => `_readcache_${command.name}_actions() {
	local -a actions=(
${described(command.actions.map((action) => [action.name, action.help]))}	)
	_describe action actions${command.offer === "files" ? "\n\t_files" : ""}
}
`;

/** A function that offers what can follow the actions of COMMAND. */
const following = (command) => `_readcache_${command.name}_words() {
${command.actions.filter((action) => action.words).map((action) => `\tif (( $words[(I)${action.name}] )); then compadd -- ${action.words}; fi\n`).join("")}	return 0
}
`;

/** What _arguments wants for the words that are no options. */
function words(command) {
	const name = (command.takes ?? "").replace("...", "").toLowerCase();
	if (command.offer === "commands") return ["'(-)1:command:_command_names -e'", "'*::argument:_normal'"];
	if (command.actions.length > 0) {
		const next = command.actions.some((action) => action.words) ? `:word:_readcache_${command.name}_words` : command.offer === "files" ? "*:file:_files" : "*:word:";
		return [`'1:action:_readcache_${command.name}_actions'`, quote(next)];
	}
	if (command.offer !== "files") return [];
	return [quote(`${command.takes.endsWith("...") ? "*" : ""}:${name}:_files`)];
}

const branch = (command) => `	${namesOf(command).join(" | ")})
		_arguments ${command.wraps ? "-S " : ""}\\
			${[...[...command.options, HELP].map(specification), ...words(command)].join(" \\\n\t\t\t")}
		;;
`;

export function zsh(commands) {
	const acting = commands.filter((command) => command.actions.length > 0);
	const names = commands.flatMap((command) => namesOf(command).map((name) => [name, command.summary]));
	return `#compdef readcache
# Completion of readcache(1) for zsh; installed as _readcache.
# Made by completions/make.mjs from the table of commands: do not edit.

_readcache_commands() {
	local -a commands=(
${described(names)}	)
	_describe command commands
}

${[...acting.map(actions), ...acting.filter((command) => command.actions.some((action) => action.words)).map(following)].join("\n")}
_readcache() {
	local context state state_descr line
	typeset -A opt_args

	_arguments -C \\
		'(- *)'{-h,--help}'[show help]' \\
		'(- *)--version[show the version]' \\
		'1: :_readcache_commands' \\
		'*:: :->arguments'
	[[ $state == arguments ]] || return

	case $words[1] in
${commands.map(branch).join("")}	esac
}

if [[ $funcstack[1] == _readcache ]]; then
	_readcache "$@"
else
	compdef _readcache readcache
fi
`;
}
