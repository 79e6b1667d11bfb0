"use strict";
(() => {
	const PAGE_ROWS = 100; // of a branch, at a time
	const TREE_ROWS = 300;
	const TRUST_ROWS = 300;
	const WIDE_TREE = 60; // stretches: beyond, only the way to the end is open
	const MODES = ["full", "baseline_fallback", "plain", "diff", "unchanged_range", "unchanged"];
	const data = JSON.parse(document.getElementById("data").textContent);
	const COMPACT = new Set(data.compactModes);
	const grouped = new Intl.NumberFormat("en-US");

	// ---- making elements: text is always text ----

	function element(tag, attributes = {}, ...children) {
		const made = document.createElement(tag);
		for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
		made.append(...children.filter((child) => child !== undefined));
		return made;
	}

	function drawn(tag, attributes = {}, ...children) {
		const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
		for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
		made.append(...children);
		return made;
	}

	const path = (text) => element("bdi", { class: "path" }, text || "(file unknown)");
	const count = (n, one, many = `${one}s`) => `${grouped.format(n)} ${n === 1 ? one : many}`;
	const key = (kind) => element("span", { class: `key k-${kind}` });

	function bytes(n) {
		const units = ["B", "kB", "MB", "GB"];
		let unit = 0;
		for (; Math.abs(n) >= 1000 && unit < units.length - 1; unit++) n /= 1000;
		return `${unit === 0 || Math.abs(n) >= 100 ? Math.round(n) : Math.round(n * 10) / 10} ${units[unit]}`;
	}

	function scopeText(scope) {
		if (scope === undefined) return undefined;
		const [, first, last] = scope.split(":");
		return scope === "full" ? "whole file" : `lines ${grouped.format(first)}\u2013${grouped.format(last)}`;
	}

	function askedText({ scope, offset, limit }) {
		if (scope) return scopeText(scope);
		if (offset && limit) return `lines ${grouped.format(offset)}\u2013${grouped.format(offset + limit - 1)} asked for`;
		if (offset) return `from line ${grouped.format(offset)}`;
		return limit ? `first ${count(limit, "line")} asked for` : undefined;
	}

	// ---- tables that sort ----

	const cellValue = (row, column) => {
		const cell = row.cells[column];
		const number = cell.querySelector("data");
		return number ? Number(number.value) : cell.textContent.trim();
	};

	function sortRows(table, column, direction) {
		const rows = [...table.tBodies[0].rows].map((row) => ({ row, value: cellValue(row, column) }));
		const order = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, "en"));
		rows.sort((a, b) => direction * order(a.value, b.value));
		table.tBodies[0].append(...rows.map(({ row }) => row));
	}

	function makeSortable(table) {
		const heads = [...table.tHead.rows[0].cells];
		heads.forEach((head, column) => {
			const button = element("button", { type: "button" }, ...head.childNodes);
			head.append(button);
			button.addEventListener("click", () => {
				const now = head.getAttribute("aria-sort");
				const falling = column === 0 ? now === "ascending" : now !== "descending";
				for (const other of heads) other.removeAttribute("aria-sort");
				head.setAttribute("aria-sort", falling ? "descending" : "ascending");
				sortRows(table, column, falling ? -1 : 1);
			});
		});
	}

	// ---- charts ----

	/** Round numbers from 0 to at least MOST. */
	function ticks(most, wanted) {
		const rough = Math.max(most, 1) / wanted;
		const power = 10 ** Math.floor(Math.log10(rough));
		const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough));
		return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
	}

	/** UNIT writes the numbers of the scale; without it there is none. */
	function frame(width, height, most, label, unit) {
		const margin = { left: 58, right: 8, top: 10, bottom: 26 };
		const marks = unit ? ticks(most, 4) : [0, most];
		const top = marks.at(-1) || 1;
		const y = (value) => height - margin.bottom - (value / top) * (height - margin.top - margin.bottom);
		const svg = drawn("svg", { role: "img", "aria-label": label, height, viewBox: `0 0 ${width} ${height}` });
		for (const mark of unit ? marks : []) {
			svg.append(drawn("line", { class: "axis", x1: margin.left, x2: width - margin.right, y1: y(mark), y2: y(mark) }));
			svg.append(drawn("text", { class: "tick", x: margin.left - 8, y: y(mark) + 4, "text-anchor": "end" }, unit(mark)));
		}
		return { svg, y, x: (share) => margin.left + share * (width - margin.left - margin.right) };
	}

	function drawReadAxis({ svg, x, y }, reads) {
		const base = y(0) + 18;
		const wide = x(1) > 480;
		const when = ({ time }) => (time && wide ? `, ${time.slice(0, 16).replace("T", " ")}` : "");
		const ends = [
			[0, "start", `read 1${when(reads[0])}`],
			[1, "end", `read ${grouped.format(reads.length)}${when(reads.at(-1))}`],
		];
		for (const [share, anchor, text] of reads.length > 1 ? ends : ends.slice(0, 1))
			svg.append(drawn("text", { class: "tick", x: x(share), y: base, "text-anchor": anchor }, text));
	}

	/** How much plain reads would have delivered, and how much was, read by read. */
	function drawBytes(width, reads, boundaries) {
		const sums = [[0, 0]];
		for (const { baselineBytes, servedBytes } of reads)
			sums.push([sums.at(-1)[0] + baselineBytes, sums.at(-1)[1] + servedBytes]);
		const [plain, served] = sums.at(-1);
		const label = `Bytes, added up over ${count(reads.length, "read")}: ${bytes(served)} served, ${bytes(plain)} by plain reads.`;
		const chart = frame(width, 240, Math.max(plain, served), label, bytes);
		const every = Math.max(1, Math.ceil(sums.length / width));
		const points = [...sums.keys()].filter((i) => i % every === 0 || i === sums.length - 1);
		const at = (i, which) => `${chart.x(i / reads.length).toFixed(1)},${chart.y(sums[i][which]).toFixed(1)}`;
		const line = (which) => points.map((i) => at(i, which));
		const ground = [`${chart.x(1)},${chart.y(0)}`, `${chart.x(0)},${chart.y(0)}`];
		chart.svg.append(
			drawn("polygon", { class: "served-area", points: [...line(1), ...ground].join(" ") }),
			drawn("polygon", { class: "saved-area", points: [...line(0), ...line(1).reverse()].join(" ") }),
			drawn("polyline", { class: "served-line", points: line(1).join(" ") }),
			drawn("polyline", { class: "plain-line", points: line(0).join(" ") }),
		);
		for (const i of boundaries.slice(0, 400)) {
			const x = chart.x(i / reads.length);
			chart.svg.append(drawn("line", { class: "boundary", x1: x, x2: x, y1: chart.y(0), y2: 10 }));
		}
		drawReadAxis(chart, reads);
		return chart.svg;
	}

	function drawModes(width, reads) {
		const room = Math.floor((width - 66) / 7);
		const single = reads.length <= room; // every read has a place of its own
		const bins = single ? reads.length : Math.min(Math.ceil(reads.length / 4), room, 90);
		const size = reads.length / bins;
		const counts = Array.from({ length: bins }, () => new Map());
		reads.forEach(({ mode }, i) => {
			const bin = counts[Math.min(bins - 1, Math.floor(i / size))];
			bin.set(mode, (bin.get(mode) ?? 0) + 1);
		});
		const total = (bin) => [...bin.values()].reduce((a, b) => a + b, 0);
		const most = Math.max(...counts.map(total));
		const chart = frame(width, single ? 76 : 160, most, "Reads over time, by mode of the answer.", single ? undefined : (n) => grouped.format(n));
		counts.forEach((bin, i) => {
			const left = chart.x(i / bins) + 0.5;
			const wide = Math.max(1, chart.x((i + 1) / bins) - left - 1);
			const parts = MODES.filter((mode) => bin.has(mode));
			const words = parts.map((mode) => `${mode} ${bin.get(mode)}`).join(", ");
			const group = drawn("g", {}, drawn("title", {}, single ? `read ${i + 1}: ${parts[0]}` : `reads ${Math.ceil(i * size) + 1} to ${Math.ceil((i + 1) * size)}: ${words}`));
			let sum = 0;
			for (const mode of parts) {
				const y = chart.y(sum + bin.get(mode));
				group.append(drawn("rect", { class: `k-${mode}`, x: left, width: wide, y, height: Math.max(0.5, chart.y(sum) - y - 0.5) }));
				sum += bin.get(mode);
			}
			chart.svg.append(group);
		});
		drawReadAxis(chart, reads);
		return chart.svg;
	}

	function legend(items) {
		return element("ul", { class: "legend" }, ...items.map(([kind, text]) => element("li", {}, element("span", { class: `key ${kind}` }), text)));
	}

	function buildCharts(section, session) {
		const reads = session.steps.filter(({ kind }) => kind === "read");
		let before = 0;
		const boundaries = session.steps.flatMap(({ kind }) => (kind === "read" ? (before++, []) : kind === "compaction" ? [before] : []));
		const used = MODES.filter((mode) => session.modes[mode] > 0);
		const bytesKeys = [["saved-key", "saved"], ["served-key", "served"]];
		if (boundaries.length > 0) bytesKeys.push(["boundary-key", "compaction"]);
		const figures = [
			[element("figure", {}, element("figcaption", {}, "Bytes, added up in the order of the file"), legend(bytesKeys)), (w) => drawBytes(w, reads, boundaries)],
			[element("figure", {}, element("figcaption", {}, "Reads, by the mode of their answer"), legend(used.map((mode) => [`k-${mode}`, mode]))), (w) => drawModes(w, reads)],
		];
		section.append(...figures.map(([figure]) => figure));
		let drawnWidth = 0;
		const draw = () => {
			const width = Math.floor(section.clientWidth);
			if (width === 0 || width === drawnWidth) return;
			drawnWidth = width;
			for (const [figure, make] of figures) {
				figure.querySelector("svg")?.remove();
				figure.querySelector("figcaption").after(make(width));
			}
		};
		new ResizeObserver(draw).observe(section);
		draw();
	}

	// ---- the tree: stretches, cut at compactions ----

	function makeLegs(session) {
		const legs = [];
		const ofStretch = session.stretches.map(() => []);
		session.stretches.forEach((stretch, i) => {
			const leg = { stretch: i, first: stretch.firstLine, last: stretch.lastLine, steps: [], cut: false };
			ofStretch[i].push(leg);
		});
		session.steps.forEach((step, i) => {
			const mine = ofStretch[step.stretch];
			if (step.kind === "compaction") {
				const { last } = mine.at(-1);
				mine.at(-1).last = step.line;
				mine.push({ stretch: step.stretch, first: step.line, last, steps: [], cut: true });
			}
			mine.at(-1).steps.push(i);
		});
		const children = session.stretches.map(() => []);
		const roots = [];
		session.stretches.forEach(({ parent }, i) => (parent === null ? roots : children[parent]).push(i));
		const latest = session.stretches.map(({ lastLine }) => lastLine);
		for (let i = latest.length - 1; i >= 0; i--) {
			const { parent } = session.stretches[i];
			if (parent !== null) latest[parent] = Math.max(latest[parent], latest[i]);
		}
		// Of several ways the one that was taken last goes straight on; the others stand below the fork.
		// Not by recursion: a session may fork as often as it likes.
		const waiting = roots.map((stretch) => ({ stretch, level: 1, above: undefined })).reverse();
		while (waiting.length > 0) {
			const { stretch, level, above } = waiting.pop();
			for (const leg of ofStretch[stretch]) {
				legs.push(Object.assign(leg, { level, above, children: [] }));
				above?.children.push(leg);
			}
			const end = ofStretch[stretch].at(-1);
			end.ends = true;
			end.forks = children[stretch].length;
			const on = children[stretch].reduce((best, child) => (best === undefined || latest[child] > latest[best] ? child : best), undefined);
			if (on !== undefined) waiting.push({ stretch: on, level, above });
			for (const child of children[stretch].toReversed()) if (child !== on) waiting.push({ stretch: child, level: level + 1, above: end });
		}
		return { legs, ofStretch };
	}

	function strip(modes, total) {
		const svg = drawn("svg", { class: "strip", "aria-hidden": "true" });
		let sum = 0;
		for (const mode of MODES.filter((name) => modes.has(name))) {
			svg.append(drawn("rect", { class: `k-${mode}`, x: `${(100 * sum) / total}%`, width: `${(100 * modes.get(mode)) / total}%`, height: "100%" }));
			sum += modes.get(mode);
		}
		return svg;
	}

	function legItem(session, leg) {
		const modes = new Map();
		const others = new Map();
		for (const step of leg.steps.map((i) => session.steps[i])) {
			if (step.kind === "read") modes.set(step.mode, (modes.get(step.mode) ?? 0) + 1);
			else if (step.kind !== "compaction") others.set(step.kind, (others.get(step.kind) ?? 0) + 1);
		}
		const reads = [...modes.values()].reduce((a, b) => a + b, 0);
		const words = [count(reads, "read")];
		if (others.has("refresh")) words.push(count(others.get("refresh"), "refresh", "refreshes"));
		if (others.has("edit")) words.push(count(others.get("edit"), "context edit"));
		if (others.has("unreadable")) words.push(`${grouped.format(others.get("unreadable"))} unreadable`);
		if (leg.forks > 1) words.push(`forks into ${leg.forks}`);
		if (leg.cut === false && session.stretches[leg.stretch].orphan) words.push("parent missing");
		const item = element(
			"li",
			{ role: "treeitem", "aria-level": leg.level, "aria-selected": "false", tabindex: "-1", class: leg.cut ? "cut" : undefined },
			element("span", { class: "twist", "aria-hidden": "true" }),
			`lines ${grouped.format(leg.first)}\u2013${grouped.format(leg.last)}`,
			leg.ends && session.stretches[leg.stretch].leaf ? element("span", { class: "tag" }, leg.stretch === session.lastStretch ? "leaf, the latest" : "leaf") : undefined,
			element("span", { class: "tree-row-more" }, words.join(", ")),
			reads > 0 ? strip(modes, reads) : undefined,
		);
		item.style.paddingInlineStart = `${0.5 + Math.min(leg.level - 1, 6) * 0.8}rem`;
		return item;
	}

	/** A tree that is used with the keyboard as trees are; CHOOSE is told the leg. */
	function buildTree(session, legs, choose) {
		const list = element("ul", { role: "tree", "aria-label": "Session tree" });
		const more = element("button", { type: "button", class: "do" });
		const closed = new Set();
		let shown = [];
		let limit = TREE_ROWS;
		let focused;
		let selected;

		const hidden = (leg) => {
			for (let above = leg.above; above; above = above.above) if (closed.has(above)) return true;
			return false;
		};
		const focus = (leg) => {
			if (!leg) return;
			focused.item.tabIndex = -1;
			focused = leg;
			leg.item.tabIndex = 0;
			leg.item.focus();
		};
		const select = (leg) => {
			if (selected) selected.item?.setAttribute("aria-selected", "false");
			selected = leg;
			leg.item?.setAttribute("aria-selected", "true");
			choose(leg);
		};
		const draw = () => {
			const visible = legs.filter((leg) => !hidden(leg));
			shown = visible.slice(0, limit);
			for (const leg of shown) {
				leg.item ??= legItem(session, leg);
				if (leg.children.length > 0) leg.item.setAttribute("aria-expanded", String(!closed.has(leg)));
				leg.item.tabIndex = -1;
			}
			list.replaceChildren(...shown.map(({ item }) => item));
			if (!shown.includes(focused)) focused = shown.includes(selected) ? selected : shown[0];
			if (focused) focused.item.tabIndex = 0;
			more.hidden = visible.length <= limit;
			more.textContent = `${grouped.format(visible.length - limit)} more are not drawn: show ${TREE_ROWS} of them`;
		};
		const open = (leg, yes) => {
			if (yes) closed.delete(leg);
			else closed.add(leg);
			draw();
		};
		const legOf = (target) => shown.find(({ item }) => item.contains(target));
		const moves = {
			ArrowDown: (leg) => focus(shown[shown.indexOf(leg) + 1]),
			ArrowUp: (leg) => focus(shown[shown.indexOf(leg) - 1]),
			Home: () => focus(shown[0]),
			End: () => focus(shown.at(-1)),
			ArrowRight: (leg) => (leg.children.length > 0 && closed.has(leg) ? (open(leg, true), focus(leg)) : focus(leg.children.find((child) => child.item))),
			ArrowLeft: (leg) => (leg.children.length > 0 && !closed.has(leg) ? (open(leg, false), focus(leg)) : focus(leg.above)),
			Enter: select,
			" ": select,
		};
		list.addEventListener("keydown", (event) => {
			const leg = legOf(event.target);
			if (!leg || !moves[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
			event.preventDefault();
			moves[event.key](leg);
		});
		list.addEventListener("click", (event) => {
			const leg = legOf(event.target);
			if (!leg) return;
			if (event.target.classList.contains("twist") && leg.children.length > 0) open(leg, closed.has(leg));
			else select(leg);
			focus(leg);
		});
		more.addEventListener("click", () => {
			limit += TREE_ROWS;
			draw();
		});

		const current = legs.findLast(({ stretch }) => stretch === session.lastStretch);
		if (session.stretches.length > WIDE_TREE) {
			for (const leg of legs) if (leg.children.length > 0) closed.add(leg);
			for (let above = current.above; above; above = above.above) closed.delete(above);
		}
		draw();
		select(current);
		focused = undefined;
		draw();
		const reveal = () => selected.item && (list.scrollTop = selected.item.offsetTop - list.offsetTop - list.clientHeight / 2);
		return { parts: [list, more], reveal };
	}

	// ---- one branch ----

	/** The steps from the root to the end of LEG. */
	function branchSteps(session, ofStretch, leg) {
		const way = [];
		for (let at = leg.stretch; at !== null; at = session.stretches[at].parent) way.unshift(at);
		const legs = way.flatMap((stretch) => ofStretch[stretch]);
		return legs.slice(0, legs.indexOf(leg) + 1).flatMap(({ steps }) => steps);
	}

	/** What is trusted before position AT of a branch: key -> {hash, line}. */
	function trustBefore(session, steps, at) {
		const trusted = new Map();
		for (const step of steps.slice(0, at).map((i) => session.steps[i])) {
			if (step.forgets) trusted.clear();
			for (const [which, hash] of step.changes ?? []) {
				trusted.delete(which);
				if (hash !== undefined) trusted.set(which, { hash, line: step.line });
			}
		}
		return trusted;
	}

	function knownText(session, { base, mode, pieces, evidence, why, violation }) {
		const claim = violation ? [element("span", { class: "small doubt" }, `could not be known: ${violation}`)] : [];
		if (mode === "plain") return [element("span", { class: "small" }, "not asked"), ...claim];
		const texts = { never: "nothing", refreshed: "refreshed", moved: "another file by this name" };
		const cell = [base.trust === "never" && pieces ? "other lines, or its own changes" : (texts[base.trust] ?? `version ${base.hash.slice(0, 7)}`)];
		if (base.trust === "found" && base.step !== null)
			cell.push(element("span", { class: "small" }, `last said in line ${grouped.format(session.steps[base.step].line)}`));
		if (!evidence) cell.push(element("span", { class: "small" }, `is no evidence itself: ${why}`));
		return [...cell, ...claim];
	}

	function readRow(session, step, titles) {
		const label = (name, ...children) => element("td", { "data-label": name }, ...children);
		const file = element("td", { class: "file" }, path(session.files[step.file].shown), element("span", { class: "small" }, askedText(step) ?? ""));
		if (step.name) file.append(element("span", { class: "small" }, "as ", path(step.name)));
		const pieced = step.pieces ? `in ${step.pieces} ${step.pieces === 1 ? "piece" : "pieces"}${step.ownChanges ? `, ${step.ownChanges} own ${step.ownChanges === 1 ? "change" : "changes"}` : ""}` : undefined;
		const answer = element("td", {}, key(step.mode), step.mode, pieced ? element("span", { class: "small" }, pieced) : undefined, step.reason ? element("span", { class: "small" }, titles.get(step.reason) ?? step.reason) : undefined);
		const saved = step.baselineBytes - step.servedBytes;
		const size = element("td", { class: "n", "data-label": "bytes" }, grouped.format(step.servedBytes), saved !== 0 ? element("span", { class: "small" }, `of ${grouped.format(step.baselineBytes)}`) : undefined);
		return element("tr", {}, element("td", { class: "line" }, grouped.format(step.line)), file, answer, size, label("known", ...knownText(session, step)));
	}

	function eventRow(step) {
		const what = element("td", { colspan: "4" });
		if (step.kind === "compaction") what.append("compaction: nothing before it is relied on");
		else if (step.kind === "unreadable") what.append("an entry that cannot be read: nothing before it is relied on");
		else if (step.kind === "edit") what.append(step.target ? `context edit: takes ${step.target} from the model${step.replaced ? ", another text is in its place" : ""}` : "context edit of something unknown: nothing before it is relied on");
		else if (step.path) what.append("refresh of ", path(step.path), ` (${scopeText(step.scope)})`);
		else what.append("a refresh that cannot be understood: nothing before it is relied on");
		const drops = (step.changes ?? []).filter(([, hash]) => hash === undefined).length;
		if (drops > 0) what.append(element("span", { class: "small" }, `no longer trusted: ${count(drops, "scope")}`));
		return element("tr", { class: "event" }, element("td", { class: "line" }, grouped.format(step.line)), what);
	}

	const filters = {
		everything: () => true,
		"the text itself": ({ kind, mode }) => kind === "read" && !COMPACT.has(mode),
		"compact answers": ({ mode }) => COMPACT.has(mode),
		"what is no evidence": ({ evidence }) => evidence === false,
		violations: ({ violation }) => violation !== undefined,
		"all but reads": ({ kind }) => kind !== "read",
	};

	function buildTrust(pane, session, steps, at) {
		const step = session.steps[steps[at]];
		const trusted = trustBefore(session, steps, at);
		const where = step ? `before line ${grouped.format(step.line)}` : "at the end of the branch";
		const files = new Set([...trusted.keys()].map((which) => session.keys[which].file));
		const items = [...trusted].slice(0, TRUST_ROWS).map(([which, { hash, line }]) => {
			const { file, name, scope } = session.keys[which];
			const more = element("span", { class: "small" }, `${scopeText(scope)}, version ${hash.slice(0, 7)}, since line ${grouped.format(line)}`);
			if (name) more.append(", as ", path(name));
			return element("li", {}, path(session.files[file].shown), more);
		});
		pane.replaceChildren(
			element("h4", {}, `Trusted ${where}`),
			element("p", { class: "note" }, trusted.size === 0 ? "Nothing: any read would deliver the text." : `${count(trusted.size, "scope")} of ${count(files.size, "file")}`),
			element("ul", {}, ...items),
		);
		if (trusted.size > TRUST_ROWS) pane.append(element("p", { class: "note" }, `${grouped.format(trusted.size - TRUST_ROWS)} more are left out here.`));
	}

	function branchSummary(session, steps) {
		const reads = steps.map((i) => session.steps[i]).filter(({ kind }) => kind === "read");
		const sum = (name) => reads.reduce((total, read) => total + read[name], 0);
		const [plain, served] = [sum("baselineBytes"), sum("servedBytes")];
		const compact = reads.filter(({ mode }) => COMPACT.has(mode)).length;
		return `${count(reads.length, "read")}, ${grouped.format(compact)} of them compact; ${grouped.format(served)} bytes served, ${grouped.format(plain - served)} saved`;
	}

	function buildBranch(session, titles) {
		const heading = element("h4");
		const summary = element("p", { class: "note", "aria-live": "polite" });
		const choice = element("select", {}, ...Object.keys(filters).map((name) => element("option", {}, name)));
		const previous = element("button", { type: "button", class: "do" }, "Previous");
		const next = element("button", { type: "button", class: "do" }, "Next");
		const rowsText = element("span", { "aria-live": "polite" });
		const heads = ["Line", "File", "Answer", "Bytes", "Known before"];
		const body = element("tbody");
		const table = element("table", { class: "branch", role: "grid", "aria-label": "Reads of the branch" }, element("thead", {}, element("tr", {}, ...heads.map((text, i) => element("th", { scope: "col", class: i === 3 ? "n" : i === 0 ? "line" : undefined }, text)))), body);
		const trust = element("div", { class: "trust", "aria-live": "polite" });
		let steps = [];
		let positions = [];
		let page = 0;
		let chosen;

		const pick = (row, focus) => {
			if (!row) return;
			for (const other of body.rows) {
				other.tabIndex = other === row ? 0 : -1;
				other.setAttribute("aria-selected", String(other === row));
			}
			chosen = Number(row.dataset.at);
			buildTrust(trust, session, steps, chosen);
			if (focus) row.focus();
		};
		const draw = () => {
			const from = page * PAGE_ROWS;
			const rows = positions.slice(from, from + PAGE_ROWS).map((at) => {
				const step = session.steps[steps[at]];
				const row = step.kind === "read" ? readRow(session, step, titles) : eventRow(step);
				row.dataset.at = at;
				row.tabIndex = -1;
				row.setAttribute("aria-selected", String(at === chosen));
				return row;
			});
			body.replaceChildren(...rows);
			if (rows.length > 0) (rows.find((row) => row.getAttribute("aria-selected") === "true") ?? rows[0]).tabIndex = 0;
			rowsText.textContent = positions.length === 0 ? "no rows" : `rows ${grouped.format(from + 1)}\u2013${grouped.format(from + rows.length)} of ${grouped.format(positions.length)}`;
			previous.disabled = page === 0;
			next.disabled = from + PAGE_ROWS >= positions.length;
			previous.hidden = next.hidden = positions.length <= PAGE_ROWS;
		};
		const turn = (to) => {
			page = Math.max(0, Math.min(to, Math.ceil(positions.length / PAGE_ROWS) - 1));
			draw();
		};
		const filter = () => {
			positions = [...steps.keys()].filter((at) => filters[choice.value](session.steps[steps[at]]));
			turn(0);
		};
		const step = (row, forward) => {
			const other = forward ? row.nextElementSibling : row.previousElementSibling;
			if (other) return pick(other, true);
			const to = page + (forward ? 1 : -1);
			if (to < 0 || to * PAGE_ROWS >= positions.length) return;
			turn(to);
			pick(forward ? body.rows[0] : body.rows[body.rows.length - 1], true);
		};
		const moves = {
			ArrowDown: (row) => step(row, true),
			ArrowUp: (row) => step(row, false),
			Home: () => pick(body.rows[0], true),
			End: () => pick(body.rows[body.rows.length - 1], true),
			PageDown: () => (turn(page + 1), pick(body.rows[0], true)),
			PageUp: () => (turn(page - 1), pick(body.rows[0], true)),
			Enter: (row) => pick(row, true),
			" ": (row) => pick(row, true),
		};
		body.addEventListener("keydown", (event) => {
			const row = event.target.closest("tr");
			if (!row || !moves[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
			event.preventDefault();
			moves[event.key](row);
		});
		body.addEventListener("click", (event) => pick(event.target.closest("tr"), true));
		choice.addEventListener("change", filter);
		previous.addEventListener("click", () => turn(page - 1));
		next.addEventListener("click", () => turn(page + 1));

		const show = (leg, way) => {
			steps = way;
			chosen = undefined;
			heading.textContent = `Branch up to line ${grouped.format(leg.last)}`;
			summary.textContent = branchSummary(session, steps);
			filter();
			buildTrust(trust, session, steps, steps.length);
		};
		const controls = element("div", { class: "controls" }, element("label", {}, "Show ", choice), rowsText, previous, next);
		return { pane: element("div", {}, heading, summary, controls, element("div", { class: "branch-box" }, table), trust), show };
	}

	function buildExplorer(section, session) {
		const titles = new Map([...document.querySelectorAll("tr[data-reason]")].map((row) => [row.dataset.reason, row.querySelector(".what").textContent]));
		const { legs, ofStretch } = makeLegs(session);
		const { pane, show } = buildBranch(session, titles);
		const tree = buildTree(session, legs, (leg) => show(leg, branchSteps(session, ofStretch, leg)));
		const hint = element("p", { class: "note hint" }, "Choose how far to go: arrow keys move, Enter chooses. In the table, choose a row to see what was trusted before it. Entries are told by their line in the session file.");
		section.append(hint, element("div", { class: "panes" }, element("div", {}, element("h4", {}, "Session tree"), ...tree.parts), pane));
		tree.reveal();
	}

	// ---- the page ----

	const built = new Set();

	/** The parts of a session that are made here; once, when they are first to be seen. */
	function build(holder) {
		if (built.has(holder)) return;
		built.add(holder);
		for (const section of holder.querySelectorAll("[data-session]")) {
			const session = data.sessions[Number(section.dataset.session)];
			if (section.classList.contains("charts")) buildCharts(section, session);
			else buildExplorer(section, session);
		}
	}

	function openLinked() {
		const target = document.getElementById(location.hash.slice(1));
		if (target?.matches("details")) target.open = true;
	}

	document.querySelectorAll("table.sortable").forEach(makeSortable);
	for (const holder of document.querySelectorAll(".session")) {
		if (!holder.matches("details")) build(holder);
		else holder.addEventListener("toggle", () => holder.open && build(holder));
	}
	addEventListener("hashchange", openLinked);
	addEventListener("beforeprint", () => document.querySelectorAll("details.session").forEach((holder) => ((holder.open = true), build(holder))));
	openLinked();
})();
