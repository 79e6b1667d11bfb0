// What a node depends on is looked at before and after the work: what moved meanwhile is not kept.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { counting, World } from "./world.mjs";

/** Run twice with a change during the first; the result is used, told, and not there the second time. */
function moves(context, { spec, params, before, command, what }) {
	const world = new World(context);
	before(world);
	const nodes = [{ id: "v", run: `echo x >> v.count; ${command}`, params, cache: spec ? { fingerprint: [spec] } : undefined }, { id: "end", run: counting("end.count", "${v.stdout}") }];
	world.flow(nodes);
	const run = world.run("flow.json");
	assert.equal(run.status, 0, run.stdout + run.stderr);
	assert.match(run.stderr, what);
	assert.match(run.stderr, /^readcache: v: its result is used, but not kept: .* while it worked\.\n$/);
	assert.equal(world.times("end.count"), 1);
	world.run("flow.json");
	assert.equal(world.times("v.count"), 2, "what was not kept is done again");
	return world;
}

const git = (world, ...args) => execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x", ...args], { cwd: world.cwd, stdio: "ignore" });

function repository(world) {
	git(world, "init", "-b", "main");
	for (const text of ["old", "new"]) {
		world.write("f", `${text}\n`);
		git(world, "add", "f");
		git(world, "commit", "-m", text);
	}
	git(world, "branch", "old", "HEAD~1");
}

export const tests = [
	{
		name: "B1 a file whose fingerprint a node has changes while it works",
		run: (context) => void moves(context, { spec: "file:in", before: (world) => world.write("in", "A\n"), command: "echo $(wc -l < v.count) > in; cat in", what: /fingerprint file:in changed/ }),
	},
	{
		name: "B1 a match of a glob comes, goes or changes while it works",
		run(context) {
			const world = moves(context, { spec: "glob!:src*", before: (world) => world.write("src1", "A\n"), command: "wc -l < v.count > src2; cat src1", what: /fingerprint glob!:src\* changed/ });
			assert.equal(world.times("v.count"), 2);
		},
	},
	{
		name: "B1 another commit is checked out while it works",
		run(context) {
			const world = moves(context, { spec: "git:HEAD", before: repository, command: "git checkout -q $(test $(wc -l < v.count) = 1 && echo old || echo main); cat f", what: /fingerprint git:HEAD changed/ });
			assert.equal(world.text("f"), "new\n");
		},
	},
	{
		name: "B1 what changes and comes back is seen: a file, a rename, a link, one that comes and goes, a commit",
		run(context) {
			const lastly = /changed and came back/;
			const cases = [
				["file:in", (world) => world.write("in", "A\n"), "cp in keep; echo X > in; cat in; cat keep > in"],
				["file:in", (world) => world.write("in", "A\n"), "mv in keep; echo X > in; cat in; mv keep in"],
				["file:in", (world) => (world.write("real", "A\n"), world.write("fake", "X\n"), execFileSync("ln", ["-s", "real", "in"], { cwd: world.cwd })), "ln -sfn fake in; cat in; ln -sfn real in"],
				["glob!:i*", (world) => world.write("in", "A\n"), "cp in keep; echo X > in; cat in; cp -p keep in"],
				["glob!:i*", (world) => world.write("in", "A\n"), "echo X > in2; cat in2; rm in2"],
				["file:absent", () => {}, "echo X > absent; cat absent; rm absent"],
				["git:HEAD", repository, "git checkout -q old; cat f; git checkout -q main"],
				["git:main", repository, "git update-ref refs/heads/main old; git show main:f; git update-ref refs/heads/main main@{1}"],
			];
			for (const [i, [spec, before, command]] of cases.entries()) {
				const dir = `${context.dir}/${i}`;
				execFileSync("mkdir", [dir]);
				moves({ ...context, dir, run: context.run.bind(context) }, { spec, before, command, what: lastly });
			}
		},
	},
	{
		name: "B1 a file that a parameter names changes while it works",
		run: (context) => void moves(context, { params: { p: "@./in" }, before: (world) => world.write("in", "A\n"), command: "wc -l < v.count > in; printf '%s\\n' \"${params.p}\"", what: /\.\/in changed/ }),
	},
	{
		name: "B1 what keeps still is kept, also if files beside it change",
		run(context) {
			const world = new World(context);
			world.write("in", "A\n");
			repository(world);
			world.flow([{ id: "v", run: `${counting("v.count")}; touch beside; git status > status`, cache: { fingerprint: ["file:in", "glob!:i*", "git:HEAD", "git:main", "env:HOME", "file:absent"] } }]);
			world.good("flow.json");
			assert.deepEqual(world.statuses("flow.json"), { v: "cached" });
		},
	},
];
