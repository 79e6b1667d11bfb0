// Hostile input of every kind: requests, files, sessions and stores.
//   node tests/hostile/run.mjs [-v] [--fast] [topic ...]
// -v lists every check; --fast leaves out the slow ones; topics: see below.
import { check, removeSandbox, setVerbose, summary } from "./harness.mjs";

const topics = ["request", "targets", "session", "store", "repository", "shipped", "planted", "project", "secrets", "terminal", "races", "opens", "confined", "deep", "growth"];
const options = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));

function usageError() {
	const wrong = [
		...wanted.filter((topic) => !topics.includes(topic)),
		...options.filter((option) => !["-v", "--fast"].includes(option)),
	];
	return wrong.length ? `unknown: ${wrong.join(" ")}; topics: ${topics.join(" ")}; options: -v --fast` : undefined;
}

async function main() {
	const problem = usageError();
	if (problem) {
		console.error(problem);
		return 2;
	}
	process.umask(0o022); // some checks run the engine as another user, who must get at the files
	setVerbose(options.includes("-v"));
	try {
		for (const topic of wanted.length ? wanted : topics) {
			const { default: run } = await import(`./${topic}.mjs`);
			await check(`${topic}: all checks of the topic were made`, () => run({ fast: options.includes("--fast") }));
		}
	} finally {
		removeSandbox();
	}
	return summary();
}

process.exit(await main()); // at once, whatever a failed check left open
