// A terminal of 110 columns and 40 rows with one program in it: a tmux server of its own.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../lib/wait.mjs";

const COLUMNS = 110;
const ROWS = 40;
const INTERVAL = 30;

/**
 * The program below a shell that outlives it. When the first process of a terminal ends the kernel hangs the terminal up,
 * and what tmux has not read by then is lost: a busy machine showed an empty screen. $0 is the place for two notes, the
 * program's process id and its exit status.
 */
const HOST = `trap : INT QUIT
sh -c 'echo $$ >"$0/pid.new"; mv "$0/pid.new" "$0/pid"; exec "$@"' "$0" "$@"
echo $? >"$0/status.new"; mv "$0/status.new" "$0/status"
exec sleep 86400`;

export class Screen {
	/** Start `command` with `args` in `cwd` and nothing but `env`. `directory` is for the server's own files. */
	constructor({ directory, cwd, env, command, args }) {
		// A place of its own: a server that ends would take a new one on the same socket with it.
		const own = mkdtempSync(join(directory, "tmux-"));
		const config = join(own, "conf");
		this.socket = join(own, "socket");
		this.own = own;
		writeFileSync(config, "set -g escape-time 0\nset -g default-terminal screen-256color\n");
		const words = Object.entries({ ...env, TERM: "screen-256color" }).map(([name, value]) => `${name}=${value}`);
		const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
		this.#tmux("-f", config, "new-session", "-d", ...size, "-c", cwd, "env", "-i", ...words, "/bin/sh", "-c", HOST, own, command, ...args);
	}

	#note(name) {
		const file = join(this.own, name);
		return existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;
	}

	/** The program's process id. */
	pid() {
		return until(() => this.#note("pid"), "the program begins", { seen: () => this.text() });
	}

	#tmux(...args) {
		return execFileSync("tmux", ["-S", this.socket, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
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
		const seen = () => `${this.text()}\n(the program ${this.#note("status") === undefined ? "runs" : `has ended with ${this.#note("status")}`})`;
		return until(() => condition(this.text()), what, { seen, interval: INTERVAL });
	}

	/** Wait for a text on the screen. */
	shows(wanted) {
		return this.until((text) => text.includes(wanted), `${JSON.stringify(wanted)} is on the screen`);
	}

	/** Wait for the program's end; gives its exit status. */
	async ended() {
		await this.until(() => this.#note("status") !== undefined, "the program ends");
		return this.#note("status");
	}

	close() {
		this.#tmux("kill-server");
	}
}
