// What the three completions ask of the table of commands.

/** All names of COMMAND: the one it has, and the one it had. */
export const namesOf = (command) => [command.name, command.older].filter(Boolean);

/** The words by which OPTION is given. */
export const flagsOf = (option) => [option.letter && `-${option.letter}`, `--${option.name}`].filter(Boolean);

/** --help is every command's; the table does not name it. */
export const HELP = { name: "help", letter: "h", help: "show help" };
export const optionsOf = (command) => [...command.options, HELP];

/** Does a word of its own follow OPTION? */
export const takesValue = (option) => Boolean(option.value) && !option.optional;

/** The first clause of a help text, for a list that has little room. */
export const brief = (help) => help.replaceAll("\n", " ").split(/; | \(/)[0];

/** TEXT as one word of a POSIX shell. */
export const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
