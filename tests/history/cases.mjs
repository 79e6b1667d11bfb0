// Short histories in which an engine could lie. The oracle judges every read; the last one is the trap.
import { OWN_CASES } from "./cases-own.mjs";
import { USE_CASES } from "./cases-use.mjs";
import { BIG, changed, NEW, OLD, OVERLAPPING, Play, R, REST } from "./play.mjs";

export const CASES = {
	"a marker does not hide a range that was shown before it": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		await t.read(R); // the new line 12 is shown
		t.write(OLD);
		const whole = await t.read(); // the old text again, because of that
		await t.read(OVERLAPPING); // unchanged
		t.omit(whole);
		await t.read(OVERLAPPING); // line 12 was last seen new
	},
	"the same for the whole file": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		await t.read(R);
		t.write(OLD);
		const whole = await t.read();
		await t.read(); // unchanged
		t.omit(whole);
		await t.read();
	},
	"an omitted view does not hide an earlier one of its range": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		await t.read(R); // the new line 12 is shown
		t.write(OLD);
		t.omit(await t.read(R)); // the old one again, but not for the model
		await t.read();
	},
	"a diff whose base was omitted was still seen": async (t) => {
		t.write(OLD);
		await t.read(R);
		const whole = await t.read();
		t.write(NEW);
		await t.read(); // a diff: line 12 is new
		t.omit(whole);
		t.write(OLD);
		await t.read(R);
	},
	"the same, for a diff to an older base": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		const there = await t.read(); // a diff
		t.write([...NEW, "more"]);
		await t.read(); // a diff to that
		t.omit(there);
		t.write([...OLD.slice(0, 20), "other", ...OLD.slice(21)]);
		await t.read();
	},
	"a range that showed the file's end": async (t) => {
		t.write(OLD);
		await t.read({ offset: 20 });
		t.write(OLD.slice(0, 30));
		await t.read({ offset: 20 }); // ends at line 30
		t.write(OLD);
		await t.read({ offset: 20 });
	},
	"lines up to an end that was another one": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(OLD.slice(0, 30));
		await t.read({ offset: 12, limit: 10 });
		await t.read({ offset: 20 });
	},
	"a final newline that came and went": async (t) => {
		t.write([...OLD, ""]);
		await t.read({ offset: 20 });
		t.write(OLD);
		await t.read({ offset: 20 });
		t.write([...OLD, ""]);
		await t.read({ offset: 20 });
	},
	"a final newline of the whole file": async (t) => {
		t.write([...OLD, ""]);
		await t.read();
		t.write(OLD);
		await t.read();
	},
	"a range that showed the end, then another one behind it": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(OLD.slice(0, 15));
		await t.read({ offset: 10, bypass: true });
		t.write(OLD);
		await t.read({ offset: 30, limit: 5 });
	},
	"a range whose notice told another number of lines": async (t) => {
		t.write(OLD);
		await t.read();
		t.write([...OLD, "more"]);
		await t.read({ ...R, bypass: true });
		t.write(OLD);
		await t.read();
	},
	"a range that showed lines the file has no more": async (t) => {
		t.write(OLD);
		await t.read();
		t.write([...OLD, "and", "more"]);
		await t.read({ offset: 39 });
		t.write(OLD);
		await t.read();
	},
	"a name whose last view carried no metadata": async (t) => {
		t.write(OLD, "target.txt");
		await t.read({}, "target.txt");
		t.spoil();
		await t.read(); // the host's own read
		t.link("a.txt", "target.txt");
		await t.read();
	},
	"a name whose last view was omitted": async (t) => {
		t.write(OLD, "one.txt");
		t.write(NEW, "two.txt");
		t.link("a.txt", "one.txt");
		await t.read(); // one
		await t.read({}, "two.txt");
		t.link("a.txt", "two.txt");
		t.omit(await t.read()); // two, but not for the model
		await t.read();
	},
	"a link that was turned and turned back": async (t) => {
		t.write(OLD, "one.txt");
		t.write(NEW, "two.txt");
		t.link("a.txt", "one.txt");
		await t.read();
		t.link("a.txt", "two.txt");
		await t.read(R); // line 12 is new
		t.link("a.txt", "one.txt");
		await t.read({ offset: 1, limit: 3 });
		await t.read();
	},
	"the same, and the file changed": async (t) => {
		t.write(OLD, "one.txt");
		t.write([...NEW, "more"], "two.txt");
		t.link("a.txt", "one.txt");
		await t.read();
		t.link("a.txt", "two.txt");
		await t.read();
		t.link("a.txt", "one.txt");
		t.write(["first", ...OLD], "one.txt");
		await t.read(R);
		await t.read();
	},
	"a second name of a file that was read": async (t) => {
		t.write(OLD);
		t.link("link.txt", "a.txt");
		await t.read();
		await t.read({}, "link.txt");
	},
	"a newer version under another name": async (t) => {
		t.write(OLD);
		t.link("link.txt", "a.txt");
		await t.read();
		t.write(NEW);
		await t.read({}, "link.txt");
		t.write(OLD);
		await t.read();
	},
	"a link that was turned, in an older session": async (t) => {
		t.write(OLD, "one.txt");
		t.write(NEW, "two.txt");
		t.link("a.txt", "one.txt");
		t.strip(await t.read());
		await t.read({}, "two.txt");
		t.link("a.txt", "two.txt");
		await t.read();
	},
	"the same, asked for with a range behind the path": async (t) => {
		t.write(OLD, "one.txt");
		t.write(NEW, "two.txt");
		t.link("a.txt", "one.txt");
		await t.read();
		t.link("a.txt", "two.txt");
		t.strip(await t.read({ ...R, suffix: ":10-15" }));
		t.link("a.txt", "one.txt");
		await t.read({ ...R, suffix: ":10-15" });
	},
	"a link's target, in an older session": async (t) => {
		t.write(OLD);
		t.link("link.txt", "a.txt");
		t.strip(await t.read({}, "link.txt"));
		await t.read();
	},
	"a link that showed the file while it was no text": async (t) => {
		t.write(OLD);
		await t.read();
		t.spoil();
		t.link("link.txt", "a.txt");
		await t.read({}, "link.txt");
		t.write(OLD);
		await t.read({}, "link.txt");
	},
	"a rewritten marker": async (t) => {
		t.write(OLD);
		await t.read();
		t.rewrite(await t.read(), [{ type: "text", text: NEW.join("\n") }]);
		await t.read();
	},
	"a rewritten text, then a marker": async (t) => {
		t.write(OLD);
		await t.read();
		const range = await t.read(R);
		await t.read();
		t.rewrite(range, [{ type: "text", text: "secret\nsecret" }]);
		await t.read();
	},
	"a replaced text, then a marker": async (t) => {
		t.write(OLD);
		await t.read();
		const again = await t.read();
		await t.read();
		t.replaceInContext(again, NEW.join("\n"));
		await t.read();
	},
	"a rewritten text of a range": async (t) => {
		t.write(OLD);
		await t.read();
		t.rewrite(await t.read(R), [{ type: "text", text: "secret\nsecret" }]);
		await t.read();
	},
	"a text replaced in the context": async (t) => {
		t.write(OLD);
		await t.read();
		t.replaceInContext(await t.read(R), NEW.slice(9, 15).join("\n"));
		await t.read(R);
	},
	"a result whose content was taken away": async (t) => {
		t.write(OLD);
		t.rewrite(await t.read(), []);
		await t.read();
	},
	"a result that lost its metadata": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		t.bare(await t.read(R));
		t.write(OLD);
		await t.read();
	},
	"metadata of a file without lines": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(NEW);
		const entry = await t.read(); // a diff
		t.forge(entry, { scopeKey: "full", mode: "full", totalLines: 0, rangeStart: 1, rangeEnd: 0 });
		await t.read();
	},
	"a refreshed range": async (t) => {
		t.write(OLD);
		await t.read();
		await t.read(R);
		t.refresh("r:10:15");
		await t.read(R);
	},
	"pages that lie side by side, and lines across them": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 20 });
		await t.read({ offset: 21 });
		await t.read({ offset: 15, limit: 12 });
		await t.read();
	},
	"pages of two versions, one line of the first is old": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 20 });
		t.write(NEW);
		await t.read({ offset: 21 });
		await t.read({ offset: 5, limit: 25 });
		await t.read({ offset: 13, limit: 25 }); // behind the new line
		await t.read();
	},
	"a page that was shown anew, and the line changed back": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 20 });
		await t.read({ offset: 21 });
		t.write(NEW);
		await t.read(R); // the new line 12
		t.write(OLD);
		await t.read(OVERLAPPING);
		await t.read();
	},
	"lines that moved": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(["first", ...OLD]);
		await t.read(R);
		await t.read({ offset: 30 });
	},
	"lines that moved, all alike": async (t) => {
		t.write(OLD.map((_, i) => (i % 5 ? "x" : "y")));
		await t.read({ offset: 1, limit: 30 });
		t.write(["x", ...OLD.map((_, i) => (i % 5 ? "x" : "y"))]);
		await t.read({ offset: 2, limit: 20 });
		await t.read({ offset: 3, limit: 3 });
	},
	"pages with a gap": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 19 });
		await t.read({ offset: 21 });
		await t.read({ offset: 10, limit: 20 });
		await t.read();
	},
	"pages of a file that grew": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 20 });
		await t.read({ offset: 21 });
		t.write([...OLD, "more"]);
		await t.read({ offset: 21, limit: 5 });
		await t.read({ offset: 30 });
		await t.read();
	},
	"pages of a file that was cut": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 20 });
		await t.read({ offset: 21 });
		t.write(OLD.slice(0, 30));
		await t.read();
		await t.read({ offset: 25 });
		t.write(OLD);
		await t.read({ offset: 25 });
	},
	"a view that is gone told the number of lines": async (t) => {
		t.write(OLD);
		await t.read();
		t.write(OLD.slice(0, 6));
		t.abort(await t.read());
		await t.read();
	},
	"a marker for lines whose text was omitted": async (t) => {
		t.write(OLD);
		const page = await t.read({ offset: 1, limit: 20 });
		await t.read({ offset: 1, limit: 20 });
		await t.read(R);
		t.omit(page);
		await t.read(R);
		await t.read({ offset: 12, limit: 3 });
	},
	"a rewritten page": async (t) => {
		t.write(OLD);
		await t.read({ offset: 21 });
		t.rewrite(await t.read({ offset: 1, limit: 20 }), [{ type: "text", text: "secret\nsecret" }]);
		await t.read({ offset: 2, limit: 9 });
		await t.read();
	},
	"pages under two names": async (t) => {
		t.write(OLD);
		t.link("link.txt", "a.txt");
		await t.read({ offset: 1, limit: 20 });
		await t.read({ offset: 21 }, "link.txt");
		await t.read({ offset: 15, limit: 15 });
		await t.read();
	},
	"pages before a compaction": async (t) => {
		t.write(OLD);
		const page = await t.read({ offset: 1, limit: 20 });
		t.history.session.compaction(page.id);
		await t.read({ offset: 21 });
		await t.read({ offset: 15, limit: 15 });
	},
	"a marker that speaks of changes where there are none": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 10 });
		t.write(NEW);
		await t.read({ offset: 11, limit: 10 }); // the new line 12
		await t.read({ offset: 1, limit: 20 });
	},
	"lines that are shorter than a marker": async (t) => {
		t.write(OLD);
		await t.read({ offset: 1, limit: 20 });
		await t.read({ offset: 21 });
		await t.read({ offset: 40 });
	},
	"a refresh inside of what was shown": async (t) => {
		t.write(OLD);
		await t.read();
		t.refresh("r:10:15");
		await t.read({ offset: 16, limit: 10 }); // beside it
		await t.read({ offset: 14, limit: 10 });
		await t.read({ offset: 12, limit: 1 });
		await t.read(R);
		await t.read({ offset: 8, limit: 9 });
		await t.read();
	},
	"a refresh inside, then the whole": async (t) => {
		t.write(OLD);
		await t.read();
		t.refresh("r:10:15");
		await t.read();
		await t.read(R);
	},
	"a refresh, the text shown again, and omitted": async (t) => {
		t.write(OLD);
		await t.read();
		t.refresh("r:10:15");
		t.omit(await t.read(R));
		await t.read({ offset: 12, limit: 20 });
	},
	"a file of two pages that changed": async (t) => {
		t.write(BIG);
		await t.read();
		await t.read(REST);
		t.write(changed(BIG, { 5: "five", 2300: "other" }));
		const diff = await t.read();
		await t.read(REST);
		await t.read();
		t.write(changed(BIG, { 5: "five", 2300: "another" }));
		await t.read();
		t.omit(diff);
		await t.read({ offset: 2290, limit: 20 });
		await t.read();
	},
	"a file of two pages that changed, after a refused edit": async (t) => {
		t.write(BIG);
		await t.read();
		await t.read(REST);
		t.edit(true);
		t.write(changed(BIG, { 5: "five", 2300: "other" }));
		await t.read(); // the first page
		await t.read({ offset: 2290, limit: 20 });
		await t.read();
	},
	"a base of which one page is of another version": async (t) => {
		t.write(BIG);
		await t.read();
		t.write(changed(BIG, { 100: "hundred", 2300: "other" }));
		await t.read(REST);
		t.write(changed(BIG, { 5: "five", 100: "hundred", 2300: "other" }));
		await t.read();
	},
	"a base of which one page was never shown": async (t) => {
		t.write(BIG);
		await t.read();
		t.write(changed(BIG, { 5: "five" }));
		await t.read();
	},
	"a base of which one page was omitted": async (t) => {
		t.write(BIG);
		await t.read();
		t.omit(await t.read(REST));
		t.write(changed(BIG, { 5: "five" }));
		await t.read();
	},
	"a base of pages behind a link that was turned and turned back": async (t) => {
		t.write(BIG, "one.txt");
		t.write(BIG, "two.txt");
		t.link("a.txt", "one.txt");
		await t.read();
		await t.read(REST);
		t.link("a.txt", "two.txt");
		await t.read(R); // the same lines
		t.link("a.txt", "one.txt");
		t.write(changed(BIG, { 5: "five" }), "one.txt");
		await t.read();
	},
	"a base, and something newer": async (t) => {
		t.write(BIG);
		await t.read();
		await t.read(REST);
		t.write(changed(BIG, { 100: "hundred" }));
		await t.read({ offset: 95, limit: 10 });
		t.write(changed(BIG, { 5: "five" }));
		await t.read();
	},
	"a base of which some lines were refreshed": async (t) => {
		t.write(BIG);
		await t.read();
		await t.read(REST);
		t.refresh("r:2100:2110");
		t.write(changed(BIG, { 5: "five" }));
		await t.read();
	},
	"the same answer again and again": async (t) => {
		t.write(OLD);
		for (let n = 0; n < 8; n++) await t.read(n % 3 === 2 ? R : {});
		for (let n = 0; n < 4; n++) await t.read(R);
	},
	"the same answer, with another version in between": async (t) => {
		t.write(OLD);
		await t.read();
		await t.read();
		t.write([...OLD, "more"]);
		await t.read();
		await t.read();
		await t.read();
		await t.read();
	},
	"an edit that was undone": async (t) => {
		t.write(OLD);
		await t.read();
		t.edit(false);
		await t.read();
		await t.read();
		t.write([...OLD, "more"]);
		t.edit(false);
		await t.read();
		await t.read();
		await t.read(R);
	},
	"a refused edit": async (t) => {
		t.write(OLD);
		await t.read();
		t.edit(true);
		await t.read(R);
		await t.read();
		t.edit(false);
		await t.read();
	},
	"a refused edit, and the text behind it omitted": async (t) => {
		t.write(OLD);
		await t.read();
		t.edit(true);
		t.omit(await t.read());
		await t.read();
	},
	"a refused edit of another file, and by another name": async (t) => {
		t.write(OLD);
		t.link("link.txt", "a.txt");
		await t.read();
		t.edit(true, "b.txt");
		await t.read();
		t.edit(true, "link.txt");
		await t.read();
	},
};

Object.assign(CASES, USE_CASES, OWN_CASES);

/** The script of a case, for History.play. */
export const script = (name) => (history) => CASES[name](new Play(history));
