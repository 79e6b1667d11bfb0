// pi in RPC mode: commands in, responses and events out.
import { PATIENCE } from "../../lib/wait.mjs";

export class Rpc {
	#waiting = new Map();
	#watchers = new Set();
	#rest = Buffer.alloc(0);
	#count = 0;

	/** `options` as for Sandbox.spawn. */
	constructor(sandbox, { args = [], ...options } = {}) {
		this.events = [];
		this.stderr = "";
		this.ended = false;
		this.moves = 0; // commands that are no message to the model
		this.child = sandbox.spawn({ ...options, args: ["--mode", "rpc", ...args] });
		this.pid = this.child.pid;
		this.child.stdin.on("error", () => {}); // a dead pi is reported by its exit
		this.child.stderr.on("data", (part) => (this.stderr += part));
		this.child.stdout.on("data", (part) => this.#receive(part));
		this.exit = new Promise((done) => this.child.on("close", (code, signal) => this.#end(done, { code, signal })));
	}

	/** Only LF ends a line: other line separators are text. */
	#receive(part) {
		this.#rest = Buffer.concat([this.#rest, part]);
		for (let at; (at = this.#rest.indexOf(10)) !== -1;) {
			const line = this.#rest.subarray(0, at).toString();
			this.#rest = this.#rest.subarray(at + 1);
			if (line !== "") this.#take(JSON.parse(line));
		}
	}

	#take(message) {
		const waiting = message.type === "response" ? this.#waiting.get(message.id) : undefined;
		if (waiting) {
			this.#waiting.delete(message.id);
			return waiting.done(message);
		}
		this.events.push(message);
		for (const watcher of [...this.#watchers]) if (watcher.wanted(message)) watcher.done(message);
		return undefined;
	}

	#end(done, exit) {
		this.ended = true;
		const error = new Error(`pi ended (${exit.signal ?? exit.code}): ${this.stderr}`);
		for (const { fail } of [...this.#waiting.values(), ...this.#watchers]) fail(error);
		done(exit);
	}

	#patience(what, enlist) {
		const { stack } = new Error(); // who waited
		return new Promise((resolve, reject) => {
			const timer = setTimeout(
				() => reject(new Error(`no ${what} in ${PATIENCE} ms${stack.slice(5)}`)),
				PATIENCE,
			);
			const settle = (settler) => (value) => (clearTimeout(timer), settler(value));
			enlist({ done: settle(resolve), fail: settle(reject) });
		});
	}

	/** Send a command; gives the whole response. */
	send(type, fields = {}) {
		const id = `c${++this.#count}`;
		if (!/^get_/.test(type) && !(type === "prompt" && !fields.message.startsWith("/"))) this.moves += 1;
		return this.#patience(`response to ${type}`, (waiter) => {
			if (this.ended) return waiter.fail(new Error(`pi ended before ${type}`));
			this.#waiting.set(id, waiter);
			return this.child.stdin.write(`${JSON.stringify({ id, type, ...fields })}\n`);
		});
	}

	/** Send a command that has to succeed; gives its data. */
	async ask(type, fields) {
		const response = await this.send(type, fields);
		if (!response.success) throw new Error(`${type}: ${response.error}`);
		return response.data;
	}

	/** The next event that WANTED accepts. Ask for it before doing what causes it. */
	next(wanted, what = "such event") {
		let watcher;
		return this.#patience(what, (waiter) => {
			watcher = { wanted, ...waiter };
			this.#watchers.add(watcher);
		}).finally(() => this.#watchers.delete(watcher));
	}

	/** A message to the model; comes back when pi is settled. */
	async prompt(message) {
		const settled = this.next(
			({ type }) => type === "agent_settled",
			`agent_settled after ${JSON.stringify(message)}`,
		);
		settled.catch(() => {}); // when the prompt itself fails, that is the error to show
		await this.ask("prompt", { message });
		await settled;
	}

	/** An extension's slash command; gives what it told the user: [{message, notifyType}]. */
	async command(message) {
		const from = this.events.length;
		await this.ask("prompt", { message });
		return this.notices(from);
	}

	/** What extensions told the user since event number FROM. */
	notices(from = 0) {
		return this.events
			.slice(from)
			.filter(({ type, method }) => type === "extension_ui_request" && method === "notify");
	}

	/** The footer text an extension set last under KEY. */
	status(key) {
		const wanted = ({ type, method, statusKey }) =>
			type === "extension_ui_request" && method === "setStatus" && statusKey === key;
		return this.events.filter(wanted).at(-1)?.statusText;
	}

	/** End of input: pi exits in order. Gives {code, signal}. */
	close() {
		this.child.stdin.end();
		return this.exit;
	}

	/** As a crash would end it. */
	kill() {
		this.child.kill("SIGKILL");
		return this.exit;
	}
}
