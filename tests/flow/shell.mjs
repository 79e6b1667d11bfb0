// References in a shell's text: read as the shell reads it, or refused; never printed as they stand.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { World } from "./world.mjs";

const NASTY = "$(touch pwned) `touch pwned`; touch pwned # ' \" \\ * ${HOME}\né";

/** What `sh -c TEXT` says if ${v.stdout} is VALUE by a variable of the environment: written "$V" in each text. */
const READ = [
	["a comment with a quote", "# don't\necho '${v.stdout}'", 'echo "$V"'],
	["a comment with a quote, double", '# don\'t\necho "${v.stdout}"', 'echo "$V"'],
	["a comment after a command", "true # it's \"so\necho '${v.stdout}'", 'echo "$V"'],
	["a value in a comment", "echo a # ${v.stdout} 'x\necho b", "echo a; echo b"],
	["no comment", "echo a#'${v.stdout}'#", 'echo "a#$V#"'],
	["a number of arguments", "echo $# '${v.stdout}'", 'echo "0 $V"'],
	["a here-document", "cat <<EOF\nit's ${v.stdout} \"here\"\nEOF\necho '${v.stdout}'", 'echo "it\'s $V \\"here\\""; echo "$V"'],
	["a here-document of which the end has tabs", "cat <<-E\n\tit's ${v.stdout}\n\tE\necho '${v.stdout}'", 'echo "it\'s $V"; echo "$V"'],
	["two here-documents", "cat <<A; cat <<B\nit's a ${v.stdout}\nA\nit's b\nB\necho '${v.stdout}'", 'echo "it\'s a $V"; echo "it\'s b"; echo "$V"'],
	["a quoted here-document before it", "cat <<'EOF'\nit's $V\nEOF\necho '${v.stdout}'", "echo \"it's \\$V\"; echo \"$V\""],
	["a command in double quotes", 'echo "$(echo \'${v.stdout}\')"', 'echo "$V"'],
	["a command in a command", 'echo "<$(echo "$(printf %s "${v.stdout}")")>"', 'echo "<$V>"'],
	["parentheses in a command", 'echo "$( (echo \'(\'; echo "${v.stdout}") )"', 'echo "("; echo "$V"'],
	["ticks", "echo \"x\" `echo y` '${v.stdout}'", 'echo "x y $V"'],
	["a value in ticks", "printf '%s\\n' \"$(printf %s `printf %s 1`)${v.stdout}\"", 'echo "1$V"'],
	["single in double quotes", "echo \"'${v.stdout}'\"", 'echo "\'$V\'"'],
	["double in single quotes", "echo '\"${v.stdout}\"'", 'echo "\\"$V\\""'],
	["a default", 'echo "${NOBODY_SET_IT:-${v.stdout}}"', 'echo "$V"'],
	["a default with quotes", "printf '%s\\n' ${NOBODY_SET_IT:-'${v.stdout}'}", 'echo "$V"'],
	["a length", "x=abc; echo ${#x} '${v.stdout}'", 'echo "3 $V"'],
	["escaped quotes", "echo \\' \"\\\"${v.stdout}\\\"\" \\\\'${v.stdout}'", 'printf "%s\\n" "\' \\"$V\\" \\\\$V"'],
	["arithmetic before it", "echo $((1 << 2)) '${v.stdout}'", 'echo "4 $V"'],
	["a case, not in a command", "case x in x) echo '${v.stdout}';; esac", 'echo "$V"'],
	["a comment after a continued line", "echo a \\\n#'\necho '${v.stdout}'", 'echo a; echo "$V"'],
	["a comment after two continued lines", "true;\\\n\\\n# it's\necho '${v.stdout}'", 'echo "$V"'],
	["no comment after a continued word", "echo a\\\n#'${v.stdout}'", 'echo "a#$V"'],
	["a comment is not continued", "# it's \\\necho '${v.stdout}'", 'echo "$V"'],
	["a continued line in double quotes", 'echo "a\\\n#\'${v.stdout}"', 'echo "a#\'$V"'],
	["a continued line in a here-document", "cat <<E\na\\\nE ${v.stdout}\nE\necho '${v.stdout}'", 'echo "aE $V"; echo "$V"'],
	["a here-document that looks ended after a continued line", "cat <<E\na'\\\nE\n${v.stdout}\nE\necho '${v.stdout}'", 'echo "a\'E"; echo "$V"; echo "$V"'],
	["a continued line without a blank before it", "echo\\\n a '${v.stdout}'", 'echo "a $V"'],
	["a command after a continued line", "echo \"$(\\\necho '${v.stdout}')\"", 'echo "$V"'],
	["continued lines", "echo \\\n'${v.stdout}' \\\nx # it's\necho '${v.stdout}'", 'echo "$V x"; echo "$V"'],
];

/** Where it cannot be told, or where the shell would not look. */
const REFUSED = [
	["a quoted here-document", "cat <<'EOF'\n${v.stdout}\nEOF", /here-document whose end is quoted/],
	["a here-document of which a part of the end is quoted", 'cat <<E"O"F\n${v.stdout}\nEOF', /here-document whose end is quoted/],
	["a here-document of which the end is escaped", "cat <<\\EOF\n${v.stdout}\nEOF", /here-document whose end is quoted/],
	["a backslash before it", "echo \\${v.stdout}", /a backslash stands before it; write \$\$\{/],
	["a backslash in double quotes", 'echo "\\${v.stdout}"', /a backslash stands before it/],
	["arithmetic", "echo $((${v.stdout} + 1))", /would become part of the program/],
	["arithmetic with a default", "echo $((${NO:-${v.stdout}} + 1))", /would become part of the program/],
	["arithmetic of bash", "((x = ${v.stdout}))", /\(\(\.\.\.\)\)/],
	["quotes of bash", "echo $'a${v.stdout}'", /\$'\.\.\.'/],
	["escaped quotes of bash", "echo $'a\\'' '${v.stdout}'", /\$'\.\.\.'/],
	["a case in a command", "echo $(case x in x) echo '${v.stdout}';; esac)", /a case in \$\(\.\.\.\)/],
	["ticks in double quotes", 'echo "`echo ${v.stdout}`"', /write \$\(\.\.\.\) instead/],
	["ticks in ticks", "echo `echo \\`echo x\\`` '${v.stdout}' `echo \"`echo`\"` ${v.stdout}", /write \$\(\.\.\.\) instead/],
	["quotes in braces in double quotes", 'echo "${NO:-it\'s}" \'${v.stdout}\'', /quotes in \$\{\.\.\.\} inside of double quotes/],
	["a here-document that begins in the middle of a command", "cat <<EOF $(echo a\necho b)\nit's\nEOF\necho '${v.stdout}'", /a here-document begins in the middle/],
	["a split $(", "echo $\\\n(echo \")\" '${v.stdout}')", /a line ends with a backslash/],
	["a split ${", "echo $\\\n{NO:-it's} '${v.stdout}'", /a line ends with a backslash/],
	["a split $((", "echo $(\\\n(${v.stdout} + 1))", /a line ends with a backslash/],
	["a split ((", "(\\\n(x = ${v.stdout}))", /a line ends with a backslash/],
	["a split case in a command", "echo $(ca\\\nse x in x) echo '${v.stdout}';; esac)", /a line ends with a backslash/],
	["a split <<", "cat <\\\n<'E'\n${v.stdout}\nE", /a line ends with a backslash/],
	["a split end of a here-document", "cat <<E\\\nF\nit's ${v.stdout}\nEF", /a line ends with a backslash/],
	["a continued line in a command in a here-document", "cat <<E\n$(echo \\\n'${v.stdout}')\nE", /a line ends with a backslash/],
	["an end of a here-document", "cat <<${v.stdout}\nx\n", /the end of a here-document cannot be a value/],
];

/** Numbers that look like chance and are the same in every run. */
function chance(seed) {
	return (n) => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return Math.floor((seed / 2 ** 32) * n);
	};
}

const PIECES = ["'", '"', "`", "\\", "$(", ")", "(", "${X:-", "}", "$((", "))", "#", " ", " ", "\n", "\n", ";", "x", "echo ", "echo '${v.stdout}'", 'echo "${v.stdout}"', "<<E\n", "<<'E'\n", "\nE\n", "\\\n", "\\\n", "<", "$'", "case ", "$", "${v.stdout}", "${v.stdout}"];

export const tests = [
	{
		name: "B8 a value is what the shell would put there, whatever stands before it",
		run(context) {
			const world = new World(context);
			world.write("nasty", NASTY);
			for (const [what, text, plain] of READ) {
				world.flow([{ id: "v", run: ["cat", "nasty"] }, { id: "use", run: text }]);
				const run = world.json("flow.json");
				assert.equal(run.status, "completed", `${what}: ${JSON.stringify(run)}`);
				const expected = spawnSync("bash", ["-c", plain.replaceAll("echo ", "printf '%s\\n' ")], { env: { V: NASTY, PATH: process.env.PATH }, encoding: "utf8" }).stdout;
				assert.equal(run.nodes.use.stdout, expected, what);
			}
			assert.throws(() => world.text("pwned"));
		},
	},
	{
		name: "B8 where the shell would not put it, or nobody can tell, the file is refused before anything runs",
		run(context) {
			const world = new World(context);
			for (const [what, text, message] of REFUSED) {
				world.flow([{ id: "v", run: "touch ran; echo 1" }, { id: "use", run: text }]);
				const run = world.run("flow.json");
				assert.equal(run.status, 2, `${what}: ${run.stdout}${run.stderr}`);
				assert.match(run.stderr, message, what);
				assert.match(run.stderr, /node 'use': \$\{v\.stdout\}: /, what);
			}
			assert.throws(() => world.text("ran"));
		},
	},
	{
		name: "B8 texts put together by chance: what is not refused says what it says with the value written there",
		run(context) {
			const world = new World(context);
			const next = chance(Number(process.env.READCACHE_SEED ?? 8));
			const rounds = Number(process.env.READCACHE_ROUNDS ?? 150);
			let taken = 0;
			for (let round = 0; round < rounds; round++) {
				const text = Array.from({ length: 2 + next(10) }, () => PIECES[next(PIECES.length)]).join("");
				if (!text.includes("${v.stdout}") || text.includes("$$")) continue; // $$ is another number each time
				world.flow([{ id: "v", run: "echo VAL" }, { id: "use", run: text }]);
				if (world.run("validate", "flow.json").status !== 0) continue;
				taken++;
				const options = { cwd: world.cwd, env: { ...process.env, ...world.env }, encoding: "utf8", input: "" };
				const plain = spawnSync("sh", ["-c", text.replaceAll("$${", "\u0001").replaceAll("${v.stdout}", "VAL").replaceAll("\u0001", "${")], options);
				const { nodes } = world.json("flow.json");
				// a text that is none has no output; only then the exit status is what can be compared
				if (plain.status === 0) assert.deepEqual([nodes.use.exit, nodes.use.stdout], [0, plain.stdout], JSON.stringify(text));
				assert.ok(!nodes.use.stdout.includes("readcache_"), JSON.stringify([text, nodes.use.stdout]));
			}
			assert.ok(taken > rounds / 20, `${taken} of ${rounds}`);
		},
	},
];
