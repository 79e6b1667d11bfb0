// How much was judged, and what was found.

const MANY = 100;

export class Tally {
	#told = new Set(); // answers that were reported: they are in every later request too

	/** PATIENT: go on after an objection, to count them all. */
	constructor(patient = false) {
		this.patient = patient;
		this.counts = { requests: 0, compact: 0, repaired: 0, needless: 0, gone: 0, unsupported: 0 };
		this.reports = [];
	}

	/** What the oracle says of a request; gives its reports. */
	add({ reports, compact, repaired, needless, gone }) {
		this.counts.requests += 1;
		this.counts.compact += compact;
		this.counts.repaired += repaired;
		this.counts.needless += needless;
		this.counts.gone += gone;
		this.counts.unsupported += reports.length;
		for (const report of reports) {
			const about = report.replace(/^request \d+: /, "");
			if (!this.#told.has(about) && this.reports.length < MANY) this.reports.push(report);
			this.#told.add(about);
		}
		return reports;
	}

	toString() {
		const { requests, compact, repaired, needless, gone, unsupported } = this.counts;
		const parts = [`${requests} requests`, `${compact} compact answers in them`];
		parts.push(`${repaired} repaired${needless > 0 ? ` (${needless} without need)` : ""}`);
		if (gone > 0) parts.push(`${gone} said to be gone`);
		return [...parts, `${unsupported} unsupported`].join(", ");
	}
}
