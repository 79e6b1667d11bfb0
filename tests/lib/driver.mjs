// A program that answers texts in a pipe, framed as tests/lib/frames.h says.
import { spawn } from "node:child_process";

const END = 0xffffffff;

function frame(length) {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(length);
	return bytes;
}

export class Driver {
	#child;
	#held = Buffer.alloc(0);

	constructor(path) {
		this.path = path;
		this.#child = spawn(path, [], { stdio: ["pipe", "pipe", "inherit"] });
	}

	/** Send TEXTS, and give the COUNT answers to them, in their order. */
	async ask(texts, count = texts.length) {
		const frames = texts.flatMap((text) => [frame(text.length), text]);
		this.#child.stdin.write(Buffer.concat([...frames, frame(END)]));
		const answers = [];
		for (;;) {
			for (let one; answers.length < count && (one = this.#take()) !== undefined; ) answers.push(one);
			if (answers.length === count) return answers;
			await this.#more();
		}
	}

	#take() {
		if (this.#held.length < 4) return undefined;
		const length = this.#held.readUInt32LE(0);
		if (this.#held.length < 4 + length) return undefined;
		const answer = this.#held.subarray(4, 4 + length);
		this.#held = this.#held.subarray(4 + length);
		return answer;
	}

	#more() {
		return new Promise((done, fail) => {
			const ended = () => fail(new Error(`${this.path} has ended`));
			this.#child.once("close", ended);
			this.#child.stdout.once("data", (chunk) => {
				this.#child.stdout.pause();
				this.#child.off("close", ended);
				this.#held = Buffer.concat([this.#held, chunk]);
				done();
			});
			this.#child.stdout.resume();
		});
	}

	close() {
		this.#child.stdin.end();
	}
}
