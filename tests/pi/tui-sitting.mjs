// Somebody at a terminal with pi in it: what is typed, what is then on the screen, and the scripted model behind it.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ok, same, until } from "./lib/expect.mjs";
import { Provider, toolTexts } from "./lib/provider.mjs";
import { childrenOf, extension, Sandbox } from "./lib/sandbox.mjs";
import { Screen } from "./tui-screen.mjs";

const gallery = join(dirname(fileURLToPath(import.meta.url)), "../../build/tui");

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

export class Sitting {
	#screens = 0;

	static async begin(version) {
		const sitting = new Sitting();
		sitting.version = version;
		sitting.provider = await new Provider().start();
		sitting.sandbox = new Sandbox({ version, baseUrl: sitting.provider.baseUrl });
		sitting.directory = join(gallery, version);
		rmSync(sitting.directory, { recursive: true, force: true });
		mkdirSync(sitting.directory, { recursive: true });
		return sitting;
	}

	write(name, content) {
		writeFileSync(join(this.sandbox.work, name), content);
	}

	/** Start pi in a terminal; `args` are added to its command line. */
	start(...args) {
		const { root: directory, work: cwd, env } = this.sandbox;
		this.screen = new Screen({ directory, cwd, env, ...this.sandbox.command({ extensions: [extension], args }) });
	}

	/** Keep what is on the screen for a person to look at. An extension that fails is told of there. */
	keep(name) {
		const text = this.screen.text();
		ok(!/extension .*error/i.test(text), "no extension failed", text);
		this.#screens += 1;
		writeFileSync(join(this.directory, `${this.#screens}-${name}.txt`), `${text}\n`);
		return text;
	}

	/** Send a message to the model, which plays TURNS and then says ENDING. */
	async prompt(message, turns, ending) {
		const { provider, screen } = this;
		const asked = provider.requests.length;
		provider.play(...turns, { text: ending });
		await screen.until((text) => text.includes("scripted"), "the footer with the model");
		screen.type(message);
		await screen.shows(message);
		// Enter is refused while pi starts.
		const enter = () => screen.press("Enter");
		enter();
		await screen.until((text) => {
			if (provider.requests.length > asked) return true;
			if (text.includes("Startup is still in progress")) enter();
			return false;
		}, "the provider is asked");
		await screen.shows(ending);
		same(provider.problems, [], "the provider's complaints");
		return [...toolTexts(provider.requests.at(-1)).values()];
	}

	/** Type into the editor and wait until it is there. */
	async type(text) {
		this.screen.type(text);
		await this.screen.shows(text.trimEnd());
	}

	/** A slash command of one word. The list of commands that pops up must be there before Enter is pressed. */
	async command(text) {
		await this.type(text);
		await this.screen.until((screen) => screen.split(text.slice(1)).length > 2, `${text} is offered`);
		this.screen.press("Enter");
	}

	/** Leave by Ctrl+D: no process stays. */
	async leave() {
		const { screen } = this;
		const children = childrenOf(await screen.pid()).map(({ pid }) => pid);
		ok(children.length > 0, "a helper runs while pi does", children);
		screen.press("C-d");
		same(await screen.ended(), 0, "exit status of pi");
		await until(() => children.every((pid) => !isAlive(pid)), "the helper ends with pi");
		this.close();
	}

	close() {
		this.screen?.close();
		this.screen = undefined;
	}

	async end() {
		this.close();
		await this.provider.close();
		this.sandbox.remove();
	}
}
