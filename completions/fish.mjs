// The completion for fish.
import { brief, flagsOf, namesOf, takesValue } from "./table.mjs";

/** TEXT as one word of fish, whose quotes differ. */
const quote = (text) => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** How a value is completed. */
const VALUES = {
	files: () => " -r -F",
	directories: () => " -x -a '(__fish_complete_directories)'",
	variables: () => " -x -a '(set -nx)'",
	words: (words) => ` -x -a ${quote(words)}`,
	nothing: () => " -x",
};

const complete = (when, rest) => `complete -c readcache -n ${quote(when)}${rest}\n`;

/** When what belongs to COMMAND is offered. */
const within = (command) => `__readcache_is ${namesOf(command).join(" ")}${command.wraps ? "; and not __readcache_wrapped >/dev/null" : ""}`;

function option(command, option) {
	const letter = option.letter ? ` -s ${option.letter}` : "";
	const value = takesValue(option) ? VALUES[option.offer](option.words) : "";
	return complete(within(command), `${letter} -l ${option.name}${value} -d ${quote(brief(option.help))}`);
}

function words(command) {
	const names = command.actions.map((action) => action.name).join(" ");
	let text = "";
	if (command.offer === "commands") text += complete(`__readcache_is ${namesOf(command).join(" ")}`, " -a '(__readcache_program)'");
	if (command.offer === "files") text += complete(within(command), " -F");
	for (const action of command.actions) {
		const when = command.offer === "files" ? "__readcache_first" : `not __readcache_has ${names}`;
		text += complete(`${within(command)}; and ${when}`, ` -a ${action.name} -d ${quote(brief(action.help))}`);
		if (action.words) text += complete(`${within(command)}; and __readcache_has ${action.name}`, ` -a ${quote(action.words)}`);
	}
	return text;
}

const section = (command) => `\n# ${command.name}\n${words(command)}${command.options.map((one) => option(command, one)).join("")}`;

export function fish(commands) {
	const wrapping = commands.filter((command) => command.wraps);
	const skipped = wrapping.flatMap((command) => command.options.filter(takesValue).flatMap(flagsOf));
	const names = commands.flatMap((command) => namesOf(command).map((name) => [name, command.summary]));
	return `# Completion of readcache(1) for fish.
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
    contains -- "$words[2]" ${wrapping.map((command) => command.name).join(" ")}; or return 1
    set -e words[1..2]
    while set -q words[1]
        switch $words[1]
            case --
                set -e words[1]
                break
            case ${skipped.join(" ")}
                set -e words[1]
            case '-*'
            case '*'
                break
        end
        set -e words[1]
    end
    set -q words[1]; and printf '%s\\n' $words
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

set -l none "not __readcache_is ${commands.flatMap(namesOf).join(" ")}"

complete -c readcache -f
complete -c readcache -n $none -l version -d 'show the version'
complete -c readcache -n 'not __readcache_wrapped >/dev/null' -s h -l help -d 'show help'
${names.map(([name, summary]) => `complete -c readcache -n $none -a ${name} -d ${quote(brief(summary))}\n`).join("")}${commands.filter((command) => command.options.length > 0).map(section).join("")}`;
}
