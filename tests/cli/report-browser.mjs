// readcache report in a real browser: headless Chromium, driven over its debugging pipe. Keys are real keys.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileSync } from "node:fs";
import { until } from "../lib/wait.mjs";
import { dataOf, everyKind, HOSTILE, hostile, pageOf } from "./report.mjs";

const CHROMIUM = process.env.READCACHE_CHROMIUM ?? "chromium";
const KEYS = { Tab: 9, Enter: 13, " ": 32, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };

class Browser {
	#waiting = new Map();
	#rest = "";
	#count = 0;

	constructor(dir) {
		const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"];
		this.events = [];
		this.child = spawn(CHROMIUM, [...flags, `--user-data-dir=${join(dir, "profile")}`, "about:blank"], {
			stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
			env: { ...process.env, HOME: dir },
		});
		this.child.stdio[3].on("error", () => {}); // its end is told by "close"
		this.child.stdio[4].on("data", (chunk) => this.#receive(chunk));
		this.end = new Promise((done) => this.child.on("close", done));
	}

	#receive(chunk) {
		const parts = (this.#rest + chunk).split("\0");
		this.#rest = parts.pop();
		for (const message of parts.map((part) => JSON.parse(part))) {
			if (message.id === undefined) this.events.push(message);
			else this.#waiting.get(message.id)(message);
		}
	}

	async send(method, params = {}) {
		const id = ++this.#count;
		const answer = new Promise((done) => this.#waiting.set(id, done));
		this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
		const { result, error } = await Promise.race([answer, this.end.then(() => ({ error: { message: "the browser has ended" } }))]);
		if (error) throw new Error(`${method}: ${error.message}`);
		return result;
	}

	async open(file, { width = 1200, scheme = "light", scripts = true } = {}) {
		const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
		this.session = (await this.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
		for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(`${domain}.enable`);
		await this.send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
		await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
		await this.send("Emulation.setScriptExecutionDisabled", { value: !scripts });
		await this.send("Page.navigate", { url: pathToFileURL(file).href });
		await this.until(() => this.events.some(({ method }) => method === "Page.loadEventFired"), "the page to load");
	}

	until(met, what) {
		return until(met, what, { seen: () => this.events.slice(-5), interval: 20 });
	}

	/** The value of a function in the page. */
	async get(fn, ...args) {
		const expression = `(${fn})(...${JSON.stringify(args)})`;
		const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
		if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
		return result.value;
	}

	async press(key, modifiers = 0) {
		const code = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: KEYS[key], modifiers };
		const text = { Enter: "\r", " ": " " }[key];
		await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...code, text });
		await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...code });
	}

	/** Press Tab until the focused element matches. */
	async tabTo(selector, text = null) {
		for (let i = 0; i < 200; i++) {
			await this.press("Tab");
			const there = await this.get((s, t) => document.activeElement.matches(s) && (t === null || document.activeElement.textContent.trim() === t), selector, text);
			if (there) return;
		}
		throw new Error(`Tab does not lead to ${selector}`);
	}

	/** Everything that went wrong, and every request but that for the page. */
	complaints() {
		const of = (method) => this.events.filter((event) => event.method === method).map(({ params }) => params);
		return [
			...of("Runtime.exceptionThrown").map(({ exceptionDetails }) => exceptionDetails.exception?.description ?? exceptionDetails.text),
			...of("Runtime.consoleAPICalled").map(({ args }) => JSON.stringify(args)),
			...of("Log.entryAdded").map(({ entry }) => entry.text),
			...of("Page.javascriptDialogOpening").map(({ message }) => `dialog: ${message}`),
			...of("Network.requestWillBeSent").map(({ request }) => request.url).filter((url) => !/^(file|data):/.test(url)),
			...of("Network.requestWillBeSent").slice(1).map(({ request }) => request.url).filter((url) => !url.startsWith("data:")),
		];
	}

	async close() {
		this.session = undefined;
		await this.send("Browser.close").catch(() => {});
		await this.end;
	}
}

/** A test with a browser in which FILES' page is open. */
function inBrowser(name, make, use, options) {
	return {
		name,
		async run(context) {
			if (spawnSync(CHROMIUM, ["--version"]).status !== 0) {
				const why = "chromium is missing (on Debian: apt-get install chromium)";
				return context.skip(why);
			}
			const file = make(context);
			pageOf(context, file);
			const browser = new Browser(context.dir);
			try {
				await browser.open(join(context.dir, "report.html"), options);
				await use(browser, dataOf(context, file), context);
				assert.deepEqual(browser.complaints(), []);
			} finally {
				await browser.close();
			}
		},
	};
}

const every = (context) => everyKind(context).file;

const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);

/** [text, colour, background] of things that are to be read. */
function colours() {
	const background = (element) => {
		for (let at = element; at; at = at.parentElement) {
			const colour = getComputedStyle(at).backgroundColor;
			if (!/, 0\)$/.test(colour)) return colour;
		}
		return "rgb(255, 255, 255)";
	};
	const shown = [...document.querySelectorAll("p, h1, h3, td, th, .what, .why, .small, .tag, .path, .note, li, button, select, figcaption")];
	const unique = new Map();
	for (const element of shown.filter(({ offsetParent }) => offsetParent)) {
		const { color } = getComputedStyle(element);
		unique.set(`${color} ${background(element)}`, [element.className || element.tagName, color, background(element)]);
	}
	for (const element of document.querySelectorAll("svg .tick")) unique.set("tick", ["tick", getComputedStyle(element).fill, background(element.parentElement.parentElement)]);
	return [...unique.values()];
}

/** The contrast of two colours as WCAG counts it. */
function contrast(one, other) {
	const light = (colour) => {
		const parts = colour.match(/[\d.]+/g).slice(0, 3).map((part) => Number(part) / 255);
		const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
	};
	const [a, b] = [light(one), light(other)];
	return Math.max(a, b) / Math.min(a, b);
}

async function checkColours(browser, dark) {
	const found = await browser.get(colours);
	assert.ok(found.length > 4);
	for (const [what, ink, paper] of found) assert.ok(contrast(ink, paper) >= 4.5, `${what}: ${ink} on ${paper} is ${contrast(ink, paper).toFixed(2)}`);
	const [, , paper] = found[0];
	assert.equal(contrast(paper, "rgb(255, 255, 255)") > 10, dark, paper);
}

/** 20,000 entries, a third of them reads, with forks and compactions. */
function huge({ dir }) {
	const file = join(dir, "huge.jsonl");
	const entries = [{ type: "session", version: 3, id: "huge", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/project" }];
	let leaf = null;
	const add = (entry) => {
		entries.push({ ...entry, id: `e${entries.length}`, parentId: leaf, timestamp: "2026-01-01T00:00:00.000Z" });
		leaf = entries.at(-1).id;
	};
	for (let i = 0; entries.length <= 20000; i++) {
		if (i % 50 === 49) leaf = `e${entries.length - 20}`;
		if (i % 400 === 399) add({ type: "compaction", summary: "", firstKeptEntryId: leaf, tokensBefore: 1 });
		const path = `src/file-${i % 700}.c`;
		add({ type: "message", message: { role: "user", content: [] } });
		add({ type: "message", message: { role: "assistant", content: [{ type: "toolCall", id: `c${i}`, name: "read", arguments: { path } }] } });
		const hash = "0".repeat(63) + (i % 10);
		const readcache = { v: 1, pathKey: `/project/${path}`, scopeKey: "full", servedHash: hash, mode: "full", totalLines: 1, rangeStart: 1, rangeEnd: 1, bytes: 9 };
		add({ type: "message", message: { role: "toolResult", toolCallId: `c${i}`, toolName: "read", content: [{ type: "text", text: "some text" }], details: { readcache }, isError: false } });
	}
	writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
	return file;
}

export const tests = [
	inBrowser("the page loads alone, and its figures are those of the data", every, async (browser, data) => {
		const [session] = data.sessions;
		const figures = await browser.get(() => [...document.querySelectorAll("[data-figure]")].map((element) => [element.dataset.figure, Number(element.value)]));
		const derived = { text: session.reads - session.compact, safe: session.compact - session.violations };
		for (const [name, value] of figures) assert.equal(value, derived[name] ?? session[name], name);
		assert.ok(figures.length >= 7);
		assert.equal(await browser.get(() => document.querySelectorAll(".charts svg").length), 2);
		assert.equal(await browser.get(() => document.querySelectorAll(".charts svg[role=img][aria-label]").length), 2);
		assert.equal(await browser.get(() => document.querySelectorAll(".branch tbody tr.event").length + document.querySelectorAll(".branch tbody tr:not(.event)").length), session.steps.filter(({ stretch }) => stretch !== 1).length);
	}),
	inBrowser("tables sort by the keyboard, and the focus is seen", every, async (browser, data) => {
		const column = () => [...document.querySelectorAll(".files tbody tr")].map((row) => Number(row.cells[1].querySelector("data").value));
		await browser.tabTo(".files th button", "Reads");
		const outline = await browser.get(() => getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineWidth);
		assert.equal(outline, "solid2px");
		await browser.press("Enter");
		const reads = data.sessions[0].files.map((file) => file.reads).sort((a, b) => b - a);
		assert.deepEqual(await browser.get(column), reads);
		assert.equal(await browser.get(() => document.activeElement.parentElement.getAttribute("aria-sort")), "descending");
		await browser.press(" ");
		assert.deepEqual(await browser.get(column), reads.toReversed());
		assert.equal(await browser.get(() => document.querySelectorAll(".files [aria-sort]").length), 1);
		await browser.press("Tab", 8); // with Shift: the column before
		await browser.press("Enter");
		assert.deepEqual(await browser.get(texts, ".files tbody th"), data.sessions[0].files.map(({ shown }) => shown).sort((a, b) => a.localeCompare(b, "en")));
	}),
	inBrowser("a branch is chosen by the keyboard, and its trust is shown", every, async (browser) => {
		const trust = async () => (await browser.get(texts, ".trust h4, .trust .note, .trust li")).join("|");
		const heading = async () => (await browser.get(texts, ".panes > div:last-child > h4"))[0];
		assert.equal(await heading(), "Branch up to line 36");
		assert.match(await trust(), /^Trusted at the end of the branch\|1 scope of 1 file\|src\/main\.cwhole file, version [0-9a-f]{7}, since line 34$/);

		await browser.tabTo("[role=treeitem]");
		assert.equal(await browser.get(() => document.activeElement.getAttribute("aria-selected")), "true");
		await browser.press("Home");
		await browser.press("ArrowRight"); // to the first way below the fork
		await browser.press("Enter");
		assert.equal(await heading(), "Branch up to line 25");
		assert.match(await trust(), /^Trusted at the end of the branch\|4 scopes of 3 files\|/);
		await browser.press("ArrowLeft"); // back to the fork
		await browser.press("ArrowLeft"); // close it
		assert.equal(await browser.get(() => document.activeElement.getAttribute("aria-expanded")), "false");
		const items = await browser.get(() => document.querySelectorAll("[role=treeitem]").length);
		await browser.press("ArrowRight");
		assert.equal(await browser.get(() => document.querySelectorAll("[role=treeitem]").length), items + 1);
		await browser.press(" ");
		assert.equal(await heading(), "Branch up to line 18");

		await browser.tabTo(".branch tbody tr");
		await browser.press("ArrowDown");
		await browser.press("ArrowDown");
		assert.match(await trust(), /^Trusted before line 8\|1 scope of 1 file\|src\/main\.cwhole file, version [0-9a-f]{7}, since line 4$/);
		await browser.press("Home");
		assert.match(await trust(), /^Trusted before line 4\|Nothing/);
		await browser.press("End");
		assert.match(await trust(), /^Trusted before line 18\|3 scopes of 2 files\|/);
	}),
	inBrowser("light colours have contrast", every, (browser) => checkColours(browser, false)),
	inBrowser("dark colours apply, and have contrast", every, (browser) => checkColours(browser, true), { scheme: "dark" }),
	inBrowser(
		"hostile names do no harm",
		(context) => hostile(context).file,
		async (browser) => {
			const names = HOSTILE.map((name) => name.replaceAll("/", "\u2215"));
			assert.deepEqual((await browser.get(texts, ".files tbody th bdi")).toSorted(), names.toSorted());
			assert.deepEqual([...new Set(await browser.get(texts, ".branch .file > bdi"))], names);
			assert.equal(await browser.get(() => document.querySelectorAll("img, b, script[src], iframe").length), 0);
			assert.equal(await browser.get(() => document.scripts.length), 2);
			assert.equal(await browser.get(() => ({}).polluted), undefined);
			assert.equal(await browser.get(() => document.documentElement.scrollWidth <= innerWidth), true);
		},
		{ width: 360 },
	),
	inBrowser(
		"at 360 pixels nothing is cut off",
		every,
		async (browser) => {
			assert.equal(await browser.get(() => document.documentElement.scrollWidth), 360);
			const beyond = await browser.get(() => [...document.querySelectorAll("main *:not(svg *)")].filter((element) => element.offsetParent && element.getBoundingClientRect().right > 361).map((element) => element.outerHTML.slice(0, 80)));
			assert.deepEqual(beyond, []);
		},
		{ width: 360 },
	),
	inBrowser(
		"without scripts the figures are there, and it says what is not",
		every,
		async (browser, data) => {
			const text = (await browser.get(() => document.querySelector("main").innerText)).replaceAll(",", "");
			for (const name of ["savedBytes", "servedBytes", "baselineBytes"]) assert.ok(text.includes(String(data.sessions[0][name])), name);
			assert.match(text, /need JavaScript/);
			assert.equal(await browser.get(() => document.querySelectorAll("[role=tree]").length), 0);
		},
		{ scripts: false },
	),
	inBrowser("20,000 entries: what is drawn stays small, and what is left out is told", huge, async (browser, data) => {
		assert.ok(data.sessions[0].entries >= 20000);
		assert.ok((await browser.get(() => document.querySelectorAll("*").length)) < 12000);
		assert.match((await browser.get(texts, ".controls"))[0], /rows 1\u2013100 of [\d,]+/);
		assert.match((await browser.get(texts, ".files + .note"))[0], /^500 more files are left out here/);
		await browser.tabTo(".branch tbody tr");
		await browser.press("ArrowUp"); // there is none before the first
		await browser.press("End");
		await browser.press("ArrowDown"); // on to the next hundred
		assert.match((await browser.get(texts, ".controls"))[0], /rows 101\u2013200 of /);
		assert.equal(await browser.get(() => document.activeElement === document.querySelector(".branch tbody tr")), true);
	}),
];
