/** Text that others have written, for a terminal: file names, settings, messages about them. */

/** As the engine does it (src/base/visible.c): controls, turns of direction, separators of lines, what cannot be seen. */
const ACTS =
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** All of it spelled out; lines and tabs stay. */
export function visible(text: string): string {
	return text.replace(ACTS, (c) => {
		const code = c.codePointAt(0)!;
		const hex = code.toString(16);
		return code < 0x80 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
	});
}
