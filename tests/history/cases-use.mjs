// Short histories about the moment of use: what runs beside a read, what was lost on the way, where a call was made, on
// which texts an answer rests. As in cases.mjs, and some answers must be compact: to be careful for no reason is wrong.
import { mkdirSync } from "node:fs";
import { BIG, changed, NEW, OLD, R, REST } from "./play.mjs";

const OTHER = changed(OLD, { 12: "line 12 is another one", 14: "line 14 too" });
const LONG = "z".repeat(60000);

/** Paths that lead to a.txt, and the file they name themselves where that is a link. */
function spellings(t) {
	mkdirSync(t.path("src"), { recursive: true });
	t.link("link.txt", "a.txt");
	t.link("folder", ".");
	t.hardLink("hard.txt", "a.txt");
	const plain = ["a.txt", "./a.txt", t.path("a.txt"), t.path("a.txt").replaceAll("/", "//"), "src/../a.txt", "no/such/../../a.txt", "@a.txt"];
	return [...plain.map((path) => [path, "a.txt"]), ["link.txt", "link.txt"], ["hard.txt", "hard.txt"], ["folder/a.txt", "folder/a.txt"]];
}

async function bySpelling(t, tool) {
	t.write(OLD);
	for (const [path, named] of spellings(t)) {
		await t.read();
		await t.message([t.call(tool, { path, content: "" }, { named }), t.ask()]);
		t.write(OLD);
	}
}

/** Beside CALLS of the message, made by MAKE: the whole and some lines, before and behind them. */
async function beside(t, make) {
	t.write(OLD);
	await t.read();
	await t.message([...make(t), t.ask()]);
	t.write(OLD);
	await t.read();
	await t.message([t.ask(R), ...make(t)]);
	await t.read();
}

export const USE_CASES = {
	"a write beside the read, in any spelling": (t) => bySpelling(t, "write"),
	"an edit beside the read, in any spelling": (t) => bySpelling(t, "edit"),
	"a shell beside the read": (t) => beside(t, () => [t.call("bash", { command: "make" })]),
	"a tool that nobody knows beside the read": (t) => beside(t, () => [t.call("apply_patch", { input: "" })]),
	"a write under another argument": (t) => beside(t, () => [t.call("write", { file_path: "a.txt", content: "" })]),
	"an edit of a path that is none": (t) => beside(t, () => [t.call("edit", { path: ["a.txt"], edits: [] })]),
	"an edit without a path": (t) => beside(t, () => [t.call("edit", { edits: [] })]),
	"a write behind calls that do no harm": (t) => {
		const harmless = ["grep", "ls"].map((tool) => t.call(tool, { path: "." }, { does: () => {} }));
		return beside(t, () => [...harmless.splice(0), t.call("write", { path: "a.txt", content: "" })]);
	},
	"calls that do no harm": async (t) => {
		t.write(OLD);
		await t.read();
		const harmless = ["grep", "ls", "find", "readcache_refresh"].map((tool) => t.call(tool, { path: "a.txt" }, { does: () => {} }));
		await t.message([...harmless, t.ask()]);
	},
	"a write of another file": async (t) => {
		t.write(OLD);
		t.write(OLD, "b.txt");
		await t.read();
		await t.message([t.call("write", { path: "b.txt", content: "" }, { target: "b.txt" }), t.ask()]);
	},
	"a file that is just being written": async (t) => {
		await t.message([t.call("write", { path: "./new.txt", content: "" }, { target: "new.txt" }), t.ask({}, "new.txt")]);
		await t.message([t.ask({}, "other.txt"), t.call("write", { path: "other.txt", content: "" }, { target: "other.txt" })]);
		t.link("dangling", "third.txt");
		await t.message([t.ask({}, "third.txt"), t.call("write", { path: "dangling", content: "" }, { target: "third.txt", named: "dangling" })]);
	},
	"a write that is done, and its result is there": async (t) => {
		t.write(OLD);
		await t.read();
		await t.message([t.call("write", { path: "a.txt", content: "" }), t.ask()], { atOnce: true });
		await t.message([t.call("bash", { command: "make" }, { does: () => {} }), t.ask()], { atOnce: true });
	},
	"a write that was never answered": async (t) => {
		t.write(OLD);
		await t.read();
		const call = t.call("write", { path: "a.txt", content: "" });
		t.history.assistant([{ type: "toolCall", id: call.id, name: call.tool, arguments: call.args }], t.rng);
		t.history.session.user("go on");
		const { ask, id } = t.ask();
		await t.history.ask(ask, t.rng, { callId: id });
	},
	"all texts are gone": async (t) => {
		t.write(OLD);
		const whole = await t.read();
		t.bill();
		await t.lose([whole], {});
		await t.expect("unchanged");
	},
	"the last text is gone too": async (t) => {
		t.write(OLD);
		await t.lose([await t.read(), await t.read({ ...R, bypass: true })], R);
	},
	"a text is gone, and a third of the bill": async (t) => {
		t.history.bill.base = 400;
		t.write(OLD);
		const whole = await t.read();
		t.bill();
		await t.lose([whole], {});
	},
	...Object.fromEntries(
		Object.entries({
			"that failed": (less, model) => ({ model, usage: less, stopReason: "error" }),
			"that was aborted": (less, model) => ({ model, usage: less, stopReason: "aborted" }),
			"of another model": (less) => ({ provider: "x", model: "another", usage: less }),
			"without a bill": (less, model) => ({ model }),
		}).map(([what, billed]) => [
			`a text is gone behind a message ${what}`,
			async (t) => {
				t.history.bill.base = 600;
				t.write(OLD);
				const whole = await t.read();
				t.bill();
				// No fall by itself, and from it to the next one there is none.
				const less = { input: Math.ceil(0.85 * t.history.bill.total(t.history)), output: 1 };
				await t.lose([whole], {}, () => t.say(billed(less, t.history.bill.model.model)));
				await t.read(R);
			},
		]),
	),
	"texts are gone, one of them from a message that cost nothing": async (t) => {
		t.write(OLD);
		const whole = await t.read();
		t.bill();
		const { model } = t.history.bill.model;
		const range = await t.read({ ...R, bypass: true }, "a.txt", { model, usage: { input: 0, output: 0 } });
		await t.lose([whole, range], R);
	},
	"an own edit, then a fork elsewhere": async (t) => {
		t.write(OLD);
		await t.read({}, "../work/a.txt");
		t.edit(false);
		t.fork();
		await t.read({}, "../work/a.txt");
	},
	"a view without metadata, then a fork elsewhere": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		t.bare(await t.read(R));
		t.fork();
		t.write(OLD, "../work/a.txt");
		await t.read({}, "../work/a.txt");
	},
	"the same, and nobody can tell from where": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		t.bare(await t.read(R));
		t.fork(true);
		t.write(OLD, "../work/a.txt");
		await t.read({}, "../work/a.txt");
	},
	"files of one name in two directories": async (t) => {
		t.write(OLD);
		await t.read();
		t.fork();
		t.write(OLD);
		await t.read();
		await t.read();
		await t.expect("unchanged", {}, "../work/a.txt");
	},
	"a diff of a diff": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		await t.expect("diff");
		t.write(OTHER);
		await t.expect("diff");
		await t.expect("unchanged");
		await t.expect("unchanged_range", R);
	},
	"a file that goes to and fro": async (t) => {
		t.write(OLD);
		await t.read();
		for (const lines of [NEW, OLD, NEW]) {
			t.write(lines);
			await t.expect("diff");
		}
		await t.expect("unchanged"); // the first diff and the last are one text
	},
	"lines known from two texts": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 20 });
		await t.read({ offset: 21 });
		await t.read();
		await t.read({ offset: 15, limit: 12 });
	},
	"pages of a large file, then it changes": async (t) => {
		t.write(BIG);
		await t.read();
		await t.read(REST);
		await t.read();
		await t.read(REST);
		t.write(changed(BIG, { 5: "five", 2300: "other" }));
		await t.read();
		await t.read({ offset: 2290, limit: 20 });
		t.write(OLD);
	},
	"a store that was tampered with": async (t) => {
		t.write(OLD);
		await t.read();
		await t.read();
		await t.read(R);
		t.damage();
		t.write(NEW);
		await t.read();
	},
	"a marker is longer than the text": async (t) => {
		t.write(["x", "y"]);
		await t.read();
		await t.read();
		t.write(OLD);
		await t.read();
		await t.read({ offset: 12, limit: 1 });
		await t.read({ offset: 12, limit: 1 });
	},
	"a line over the limit": async (t) => {
		t.write([LONG, ...OLD]);
		await t.read(R);
		await t.read(); // no line of it
		await t.expect("unchanged_range", R);
		await t.read({ offset: 1, limit: 3 });
		await t.expect("unchanged_range", R);
	},
	"a line that is over the limit for a while": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(changed(OLD, { 1: LONG }));
		await t.read();
		t.write(OLD);
		await t.read();
	},
	"a newer view that was removed": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		const range = await t.read(R);
		t.write(OLD);
		t.omit(range);
		await t.expect("unchanged");
	},
	"a newer view that was removed, and what rests on it was not": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(["one", "two", "three", ...OTHER.slice(3).reverse()]);
		const whole = await t.read(); // a text, no diff
		t.write(["one", "2", "three", ...OTHER.slice(3).reverse()]);
		await t.expect("diff");
		t.omit(whole);
		t.write(OLD);
		await t.read();
		await t.read(R);
	},
	"the same, and it is a marker": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		const range = await t.read(R);
		await t.expect("unchanged_range", R); // with the range gone, it stands for the new line 12
		t.omit(range);
		t.write(OLD);
		await t.read();
		await t.read(R);
	},
	"a marker that lost its diff, and a diff to the text before": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		const diff = await t.expect("diff");
		await t.expect("unchanged"); // with the diff gone, it stands for the new text
		t.omit(diff);
		await t.read();
	},
};
