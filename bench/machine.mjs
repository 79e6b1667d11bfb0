// On what machine it was measured.
import { cpus, loadavg, totalmem, type, release } from "node:os";

export function machine() {
	const [{ model }] = cpus();
	const cores = cpus().length;
	const memoryGb = Math.round(totalmem() / 2 ** 30);
	const text = `${cores} x ${model.trim()}, ${memoryGb} GB, ${type()} ${release()}, Node ${process.versions.node}`;
	return { cpu: model.trim(), cores, memoryGb, kernel: release(), node: process.versions.node, load: loadavg(), text };
}
