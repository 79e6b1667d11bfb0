// Two builds or modes share the runs of all scenarios on all versions: a half each.
import { versions as all } from "../../host/paths.mjs";

export const HALVES = ["first", "second"];

/**
 * Is scenario NUMBER on VERSION in that HALF? Each half has one version of it, and the halves change from scenario to
 * scenario, so that both of them meet both versions. What is for one version only (FIT) both of them have.
 */
export function isInHalf(half, number, version, fit = all) {
	if (fit.length === 1) return true;
	return (number + all.indexOf(version)) % HALVES.length === HALVES.indexOf(half);
}
