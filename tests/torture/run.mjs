// Everything that can go wrong goes wrong once.
//   tests/torture/run [--full] [-v] [topic ...]
// Without --full a sample is taken that is small enough for every change;
// with it every point gets every fault, and -v, which lists every check, shows
// how far it is. The last lines are a table of the figures and "N passed, N
// failed".
import { check, removeSandbox, setVerbose, summary } from "../hostile/harness.mjs";
import { figures, tallied } from "./figures.mjs";

const topics = ["regressions", "calls", "allocs", "kill", "crash", "damage", "crowd"];
const known = ["-v", "--full"];
const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith("-"));
const wanted = given.filter((argument) => !argument.startsWith("-"));

function usageError() {
	const wrong = [...wanted.filter((topic) => !topics.includes(topic)), ...options.filter((option) => !known.includes(option))];
	return wrong.length ? `unknown: ${wrong.join(" ")}; topics: ${topics.join(" ")}; options: ${known.join(" ")}` : undefined;
}

async function main() {
	const problem = usageError();
	if (problem) {
		console.error(problem);
		return 2;
	}
	process.umask(0o022);
	setVerbose(options.includes("-v"));
	try {
		for (const topic of wanted.length ? wanted : topics) {
			const { default: run } = await import(`./${topic}.mjs`);
			await tallied(topic, () =>
				check(`${topic}: all checks of the topic were made`, () => run({ full: options.includes("--full") })));
		}
	} finally {
		removeSandbox();
	}
	console.log(figures());
	return summary();
}

process.exit(await main()); // at once, whatever a failed check left open
