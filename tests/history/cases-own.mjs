// Short histories about what the model wrote itself and lines that moved. As in cases.mjs; under the policy pieces some
// answers must have a certain form, so that every lie about them (forger.mjs) has an occasion.
import { R } from "./play.mjs";

const edit = (oldText, newText) => ({ edits: [{ oldText, newText }] });
const line = (n) => `line ${n} of the old text, and it is longer than a part of it`;
const OLD = Array.from({ length: 40 }, (_, i) => line(i + 1));
const TEXT = [...OLD, ""];
const other = (text) => text.replace("line 30 of", "LINE 30 OF");
const above = (lines, n = 1) => [...Array.from({ length: n }, (_, i) => `above ${i}`), ...lines];
const inserted = (lines, at, ...more) => lines.toSpliced(at - 1, 0, ...more);

/** a.txt is read, and the model edits line 12. */
async function edited(t) {
	t.write(TEXT);
	const shown = await t.read();
	const call = t.own("edit", edit(`${line(12)}\n`, "twelve\nand more\n"));
	return { shown, call };
}

async function moved(t, range) {
	t.write(TEXT);
	const shown = await t.read(range);
	t.write(inserted(TEXT, 20, "new"));
	return shown;
}

export const OWN_CASES = {
	"a file that was written": async (t) => {
		t.own("write", { content: TEXT.join("\n") });
		await t.says("written");
		t.own("write", { content: above(TEXT).join("\n") });
		await t.says("writtenRange", { offset: 5, limit: 20 });
		await t.read();
	},
	"a file that was written, and edited": async (t) => {
		t.own("write", { content: TEXT.join("\n") });
		t.own("edit", edit(line(12), "twelve"));
		await t.says("edited");
		await t.read(R);
	},
	"a file that was written, and changed by others": async (t) => {
		t.own("write", { content: TEXT.join("\n") });
		t.write(above(TEXT));
		await t.read();
		t.own("write", { content: TEXT.join("\n") });
		t.write(TEXT.map(other));
		await t.read({ offset: 20, limit: 15 });
		await t.read();
	},
	"an edit": async (t) => {
		await edited(t);
		await t.says("edited");
		await t.read();
		await t.read();
	},
	"an edit in a range": async (t) => {
		t.write(TEXT);
		await t.read();
		t.own("edit", edit(line(12), "twelve"));
		await t.says("editedRange", { offset: 8, limit: 12 });
		await t.says("range", { offset: 20, limit: 12 });
		t.own("edit", edit(`${line(13)}\n`, ""));
		await t.read({ offset: 8, limit: 12 });
		await t.read();
	},
	"edits in several places": async (t) => {
		t.write(TEXT);
		await t.read();
		t.own("edit", { edits: [3, 9, 15, 21].map((n) => ({ oldText: `${line(n)}\n`, newText: n === 15 ? "" : `edit ${n}\nmore\n` })) });
		t.own("edit", edit(`\n${line(40)}\n`, "\n"));
		await t.says("edited");
	},
	"what was removed": async (t) => {
		t.write(OLD);
		await t.read();
		t.own("edit", edit(`${line(12)}\n${line(13)}\n`, ""));
		await t.says("edited");
		t.own("edit", edit(`\n${line(39)}\n${line(40)}`, ""));
		await t.says("edited");
	},
	"an edit, and a formatter": async (t) => {
		t.write(TEXT);
		await t.read();
		t.own("edit", edit(line(12), "twelve"));
		t.write(TEXT.map((text, i) => (i === 11 ? "twelve" : other(text))));
		await t.read();
		t.own("edit", edit("twelve", "a dozen"));
		await t.read(R);
		await t.read();
	},
	"an edit that was taken back": async (t) => {
		await edited(t);
		t.write(TEXT);
		await t.read();
		await t.read(R);
	},
	"an edit in lines of which some were never shown": async (t) => {
		t.write(TEXT);
		await t.read({ offset: 1, limit: 20 });
		t.own("edit", edit(line(30), "thirty"));
		await t.read({ offset: 28, limit: 5 });
		t.own("edit", edit(`${line(20)}\n${line(21)}\n`, "twenty\nand one\n"));
		await t.read({ offset: 5, limit: 20 });
		await t.says("range", { offset: 2, limit: 12 });
	},
	"an edit whose call is taken away": async (t) => {
		await edited(t);
		t.omit(t.callOf("last"));
		await t.read();
		await t.read({ offset: 9, limit: 12 });
	},
	"an edit whose result is taken away": async (t) => {
		const { call } = await edited(t);
		t.omit(call);
		await t.read();
		await t.read({ offset: 9, limit: 12 });
	},
	"an edit whose message failed": async (t) => {
		await edited(t);
		t.abort(t.result("last"));
		await t.read();
	},
	"an answer that loses the call it rests on": async (t) => {
		await edited(t);
		await t.says("edited");
		t.omit(t.callOf("last-own"));
		await t.read({ offset: 9, limit: 12 });
		await t.read();
	},
	"an answer that loses the text it rests on": async (t) => {
		const { shown } = await edited(t);
		await t.says("edited");
		t.omit(shown);
		await t.read({ offset: 9, limit: 12 });
		await t.read();
	},
	"a refused edit": async (t) => {
		t.write(TEXT);
		await t.read();
		t.own("edit", edit("nowhere", "anything"));
		t.write(inserted(TEXT, 5, "anything"));
		await t.read();
		await t.read(R);
	},
	"an edit under another name": async (t) => {
		t.write(TEXT);
		t.link("link.txt", "a.txt");
		await t.read();
		t.own("edit", edit(line(12), "twelve"), "link.txt");
		await t.read();
		await t.read({ offset: 8, limit: 12 });
	},
	"an edit and a refresh": async (t) => {
		await edited(t);
		t.refresh("r:30:32");
		await t.read({ offset: 8, limit: 12 });
		await t.read();
	},
	"an edit and a compaction": async (t) => {
		await edited(t);
		t.history.session.compaction(null);
		await t.read();
		await t.read({ offset: 8, limit: 12 });
	},
	"lines that moved as one": async (t) => {
		await moved(t);
		await t.says("moved", { offset: 22, limit: 10 });
		await t.read({ offset: 22, limit: 10 });
		await t.read({ offset: 22, limit: 10 });
	},
	"lines that moved, and text between": async (t) => {
		await moved(t);
		await t.says("parts", { offset: 8, limit: 30 });
		await t.read();
	},
	"lines that were shown only in part, and moved": async (t) => {
		await moved(t, { offset: 1, limit: 30 });
		await t.says("parts", { offset: 15, limit: 22 });
	},
	"a number under which another line was shown since": async (t) => {
		t.write(TEXT);
		await t.read();
		t.write(inserted(TEXT, 5, "new"));
		await t.read({ offset: 10, limit: 11 });
		await t.says("parts", { offset: 21, limit: 19 });
	},
	"a block that is there twice": async (t) => {
		const block = OLD.slice(9, 15);
		t.write([...OLD.slice(0, 20), ...block, ...OLD.slice(20)]);
		await t.read();
		t.write([...OLD.slice(0, 9), ...OLD.slice(15, 20), ...block, ...OLD.slice(20), ...block]);
		await t.read({ offset: 8, limit: 20 });
		await t.read({ offset: 25 });
	},
	"an edit, and lines that moved": async (t) => {
		await edited(t);
		await t.read({ offset: 1, limit: 3 });
		t.write(inserted([...OLD.slice(0, 11), "twelve", "and more", ...OLD.slice(12), ""], 25, "new"));
		await t.says("parts", { offset: 5, limit: 34 });
		await t.read();
	},
	"line ends of two letters": async (t) => {
		t.write(OLD.map((text) => `${text}\r`).concat(""));
		await t.read();
		t.own("edit", edit(`${line(12)}\n`, "twelve\nand more\n"));
		await t.says("edited");
		await t.read(R);
	},
	"a byte order mark, and an edit of the first line": async (t) => {
		t.write([`\ufeff${OLD[0]}`, ...OLD.slice(1)]);
		await t.read();
		t.own("edit", edit(line(1), "one"));
		await t.read();
		t.own("edit", edit("one\n", ""));
		await t.read();
	},
	"an edit that is only nearly there": async (t) => {
		t.write(TEXT.map((text) => (text ? `${text}  ` : text)));
		await t.read();
		t.own("edit", edit(`${line(12)}\n${line(13)}\n`, "both\n"));
		await t.read();
	},
	"a call that is lost without a record": async (t) => {
		t.write(Array.from({ length: 40 }, (_, i) => `${line(i + 1)} and a few words`));
		await t.read();
		const call = t.own("edit", edit(`${line(12)} and a few words`, "long ".repeat(800)));
		t.bill();
		await t.lose([call], {});
		await t.read({ offset: 9, limit: 12 });
	},
	"the end of the file": async (t) => {
		t.write(TEXT);
		await t.read();
		t.write(OLD.slice(0, 35));
		await t.read({ offset: 20 });
		await t.read();
	},
};
