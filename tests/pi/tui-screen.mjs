// A terminal of 110 columns and 40 rows with one program in it: a tmux server of its own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../lib/wait.mjs";

const COLUMNS = 110;
const ROWS = 40;
const INTERVAL = 30;

export class Screen {
	/** Start `command` with `args` in `cwd` and nothing but `env`. `directory` is for the server's own files. */
	constructor({ directory, cwd, env, command, args }) {
		// A place of its own: a server that ends would take a new one on the same socket with it.
		const own = mkdtempSync(join(directory, "tmux-"));
		const config = join(own, "conf");
		this.socket = join(own, "socket");
		// Kept after the program's end, so that its exit status and last words can be read.
		writeFileSync(config, "set -g remain-on-exit on\nset -g escape-time 0\nset -g default-terminal screen-256color\n");
		const words = Object.entries({ ...env, TERM: "screen-256color" }).map(([name, value]) => `${name}=${value}`);
		const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
		this.#tmux("-f", config, "new-session", "-d", ...size, "-c", cwd, "env", "-i", ...words, command, ...args);
		this.pid = Number(this.#tell("pane_pid"));
	}

	#tmux(...args) {
		return execFileSync("tmux", ["-S", this.socket, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
	}

	#tell(name) {
		return this.#tmux("display-message", "-p", `#{${name}}`).trim();
	}

	/** The lines on the screen, without blanks at their ends. */
	text() {
		return this.#tmux("capture-pane", "-p").trimEnd();
	}

	/** The same with its colours. */
	coloured() {
		return this.#tmux("capture-pane", "-p", "-e");
	}

	type(text) {
		this.#tmux("send-keys", "-l", "--", text);
	}

	/** A key by tmux's name: Enter, Tab, C-o, ... */
	press(key) {
		this.#tmux("send-keys", key);
	}

	/** Look until CONDITION, given what is on the screen, gives something; that is the result. */
	until(condition, what) {
		const seen = () => `${this.text()}\n(${this.#tell("pane_dead") === "1" ? `the program has ended with ${this.#tell("pane_dead_status")}` : "the program runs"})`;
		return until(() => condition(this.text()), what, { seen, interval: INTERVAL });
	}

	/** Wait for a text on the screen. */
	shows(wanted) {
		return this.until((text) => text.includes(wanted), `${JSON.stringify(wanted)} is on the screen`);
	}

	/** Wait for the program's end; gives its exit status. */
	async ended() {
		await this.until(() => this.#tell("pane_dead") === "1", "the program ends");
		return Number(this.#tell("pane_dead_status"));
	}

	close() {
		this.#tmux("kill-server");
	}
}
