// Somebody who waits in open() of a pipe until a reader comes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { until } from "../lib/wait.mjs";

/** What Linux says of the state of process PID: S, it waits. */
function stateOf(pid) {
	return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];
}

/** What can be read from FD now; undefined if there is a writer, but nothing yet. */
function readNow(fd) {
	const bytes = Buffer.alloc(100);
	try {
		return bytes.toString("latin1", 0, readSync(fd, bytes));
	} catch (error) {
		if (error.code === "EAGAIN") return undefined;
		throw error;
	}
}

/** DO something while a writer waits for a reader of PIPE; nothing of it may be that reader. */
export async function whileWriterWaits(pipe, act) {
	const writer = spawn("/bin/sh", ["-c", 'echo waiting; echo text > "$0"', pipe], { stdio: ["ignore", "pipe", "ignore"] });
	const ended = new Promise((done) => writer.once("close", done));
	try {
		await new Promise((done) => writer.stdout.once("data", done));
		// It has nothing left to do but to open the pipe.
		await until(() => stateOf(writer.pid) === "S", "the writer waits", { seen: () => stateOf(writer.pid) });
		await act();
		// Who has met a reader has written and is gone. Who has not meets us.
		assert.equal(stateOf(writer.pid), "S", "the writer still waits");
		const fd = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
		try {
			const text = await until(() => readNow(fd) || undefined, "the writer writes to us");
			assert.equal(text, "text\n");
		} finally {
			closeSync(fd);
		}
	} finally {
		writer.kill("SIGKILL");
		await ended;
	}
}
