// Random texts that are JSON, nearly JSON, or no longer JSON.
import { damaged } from "../hostile/harness.mjs";

const BLANKS = ["", "", "", "", " ", "\n", "\t", "\r\n", "  "];
const NUMBERS = ["0", "-0", "1", "7", "-3", "1.5", "1e3", "2E-2", "1e400", "0.1", "9007199254740991", "9007199254740993", "1.0", "100e-2", "5e-324", "12345678901234567890"];
const PIECES = ["a", "id", "type", "x", "\\n", "\\\\", '\\"', "\\/", "\\u0041", "\\u0000", "\\ud83d\\ude00", "\\ud800", "\\udc00", "\\u2028", "\u00e9", "\u20ac", "\u{1f600}", "\u2028", "\x7f", "{", "]", ",", ":", "//"];
const NAMES = ["a", "b", "id", "type", "v", "", "a", "\\u0061", "\u00e9", "__proto__", "0", "1", "message", "a b", "\\n"];

const pick = (roll, list) => list[roll(list.length)];
const blank = (roll) => pick(roll, BLANKS);

function string(roll) {
	let text = "";
	for (let n = roll(6); n > 0; n--) text += roll(12) ? pick(roll, PIECES) : "long ".repeat(roll(40));
	return `"${text}"`;
}

function list(roll, one) {
	const parts = Array.from({ length: roll(5) }, () => blank(roll) + one() + blank(roll));
	return parts.join(",") || blank(roll);
}

/** A value, down to DEPTH. */
export function value(roll, depth = 5) {
	switch (roll(depth > 0 ? 9 : 5)) {
		case 0:
			return pick(roll, ["null", "true", "false"]);
		case 1:
			return roll(3) ? pick(roll, NUMBERS) : `${roll(2) ? "-" : ""}${roll(1e9)}.${roll(1e6)}e${roll(700) - 350}`;
		case 2:
		case 3:
		case 4:
			return string(roll);
		case 5:
		case 6:
			return `[${list(roll, () => value(roll, depth - 1))}]`;
		default:
			return `{${list(roll, () => `"${pick(roll, NAMES)}"${blank(roll)}:${blank(roll)}${value(roll, depth - 1)}`)}}`;
	}
}

/** The beginning of one text and the end of another. */
function spliced(roll, one, other) {
	return Buffer.concat([one.subarray(0, roll(one.length + 1)), other.subarray(roll(other.length + 1))]);
}

/** Texts without end; SEEDS are some to begin with. */
export function* texts(roll, seeds) {
	for (;;) {
		const fresh = Buffer.from(blank(roll) + value(roll) + blank(roll));
		const one = roll(3) ? fresh : pick(roll, seeds);
		if (one.length === 0) continue;
		switch (roll(8)) {
			case 0:
			case 1:
				yield one;
				break;
			case 2:
				yield spliced(roll, one, roll(2) ? one : pick(roll, seeds));
				break;
			case 3:
				yield one.subarray(0, roll(one.length));
				break;
			default:
				yield damaged(one, roll);
		}
	}
}
