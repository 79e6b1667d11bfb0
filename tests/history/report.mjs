// What is told about a wrong answer.
import { judge } from "./oracle.mjs";

const RELAXES = ["altered", "eof", "omitted", "bare", "moved", "rests"];

/** A violation; it ends its history. */
export class Unsupported extends Error {
	constructor(report) {
		super(report.wrong.map(([rule, why]) => `${rule}: ${why}`).join("; "));
		this.report = report;
	}
}

export function describe(ask) {
	const { path, offset, limit } = ask.params;
	const marks = [ask.nested && "nested", ask.bypass && "bypass", ask.blind && `session ${ask.blind}`].filter(Boolean);
	const range = offset === undefined && limit === undefined ? "" : ` offset=${offset ?? "-"} limit=${limit ?? "-"}`;
	return `read ${path}${range}${marks.length > 0 ? ` [${marks.join(", ")}]` : ""}`;
}

function short(response) {
	const text = response.result?.content?.[0]?.text;
	if (typeof text !== "string") return JSON.stringify(response).slice(0, 1500);
	return `${text.slice(0, 1500)}\n  metadata ${JSON.stringify(response.result.details?.readcache)}\n  decision ${JSON.stringify(response.decision)}`;
}

/** Which demands, left out alone, would let the answer pass: where to look for the cause. */
export function causes({ report: { wrong, ask, file, response, events, policy, beside } }) {
	if (!wrong.some(([, , belief]) => belief)) return [];
	return RELAXES.filter((name) => judge({ ask, file, response, events, policy, beside, relax: new Set([name]) }).wrong.length === 0);
}

/** The last actions, the answer, the belief. */
export function tell({ report }, lastActions = 15) {
	const { history, response, wrong, ask, policy } = report;
	const belief = wrong.find(([, , held]) => held)?.[2];
	return [
		`policy ${history.policy}, seed ${history.seed}, history ${history.index}, step ${history.step}, session as ${history.way}`,
		...history.log.slice(-lastActions),
		`unsupported answer to: ${describe(ask)}, under ${policy}`,
		`  it would pass without: ${causes({ report }).join(", ") || "nothing known"}`,
		...wrong.map(([rule, why]) => `  ${rule}: ${why}`),
		`answer: ${short(response)}`,
		belief ? `belief:\n${belief.describe()}` : "belief: not asked",
	].join("\n");
}
