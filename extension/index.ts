/**
 * readcache for pi: the read tool that does not repeat what the model already has.
 *
 * This file knows what happens when; the others know how. SPEC.md section 15 is the contract.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { shortenResult } from "./bind.ts";
import { completePath } from "./completion.ts";
import { Door } from "./door.ts";
import { Engine } from "./engine.ts";
import { footerText, savedInSession } from "./figures.ts";
import { makeRead } from "./read.ts";
import { makeRefreshTool, Offer, refreshCommand } from "./refresh.ts";
import { rivalMessage, rivalOf } from "./rival.ts";
import { readSettings } from "./settings.ts";
import { statusCommand } from "./status.ts";
import { tellOnce } from "./tell.ts";

const ownFile = fileURLToPath(import.meta.url);
const packageDir = dirname(ownFile);

export default function readcache(pi: ExtensionAPI): void {
	const settings = readSettings(process.env);
	if (settings.mode === "off") return;

	const engine: Engine = new Engine(settings, packageDir, () => door.hidden);
	const door = new Door(engine);
	const offer = new Offer(pi);
	let cwd = process.cwd();
	let registered = false;
	let footer: string | undefined = "not known"; // an earlier session may have left one

	const showFooter = (ctx: ExtensionContext) => {
		const text = footerText(savedInSession(ctx.sessionManager.getEntries()));
		if (text === footer) return;
		footer = text;
		// pi's own footer is dim; a program that reads the status wants the bare text.
		ctx.ui.setStatus("readcache", text && ctx.mode === "tui" ? ctx.ui.theme.fg("dim", text) : text);
	};

	/** The host's `read` becomes ours, unless somebody else wants it. */
	const takeRead = (ctx: ExtensionContext) => {
		const rival = rivalOf(pi, ownFile);
		if (rival !== undefined) return tellOnce(ctx, rivalMessage(rival));
		if (registered) return;
		registered = true;
		pi.registerTool(makeRead(engine, ctx));
		pi.registerTool(makeRefreshTool(pi, engine));
	};

	pi.on("session_start", (_event, ctx) => {
		cwd = ctx.cwd;
		for (const problem of settings.problems) tellOnce(ctx, problem);
		showFooter(ctx);
	});
	// It follows session_start in every extension: whoever wanted `read` has it by now. Tools registered while
	// extensions are loading collide, and pi does not start then.
	pi.on("resources_discover", (_event, ctx) => {
		if (settings.binding === "override") takeRead(ctx);
		else pi.registerTool(makeRefreshTool(pi, engine));
		offer.follow();
	});
	pi.on("before_agent_start", () => offer.follow());
	pi.on("agent_start", (_event, ctx) => {
		if (settings.binding === "override") takeRead(ctx);
	});
	if (settings.binding === "tool_result") pi.on("tool_result", (event, ctx) => shortenResult(engine, event, ctx));
	// First the messages, then what the provider's own format makes of them; not every provider shows that.
	pi.on("context_with_system", async (event, ctx) => {
		const messages = await door.messages(event.messages, ctx);
		return messages && { messages };
	});
	pi.on("before_provider_request", (event, ctx) => door.payload(event.payload, ctx));
	pi.on("turn_end", (_event, ctx) => showFooter(ctx));
	pi.on("session_shutdown", () => engine.stop());

	pi.registerCommand("readcache-status", {
		description: "What readcache knows and saved on this branch",
		handler: (_args, ctx) => statusCommand(engine, ctx),
	});
	pi.registerCommand("readcache-refresh", {
		description: "Serve the next read of a file as full text: <path> [start-end]",
		getArgumentCompletions: (typed) => completePath(typed, cwd),
		handler: (args, ctx) => refreshCommand(pi, engine, args, ctx),
	});
}
