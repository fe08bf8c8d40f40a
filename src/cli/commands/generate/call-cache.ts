import { hash } from "node:crypto";
import { type Cache, readText, writeText } from "../../../generate/cache/index.ts";
import type { CommandContext, CommandResult } from "../../command.ts";
import { nearestProject } from "../../nearest-project.ts";
import { cacheFor } from "./cache.ts";
import type { GenerateCall } from "./call.ts";
import { executeWithChart } from "./chart.ts";
import type { ExecuteContext } from "./execute.ts";
import { generateLine } from "./makefile.ts";

type CallContext = ExecuteContext & Pick<CommandContext, "rawArgs">;

/**
 * Executes a call whose arguments were parsed in an earlier run in this project. Loading the parser would take longer than the rest
 * of a run without changes.
 *
 * @returns undefined if the call isn't in the cache
 */
export async function runCachedCall(context: CallContext): Promise<CommandResult | undefined> {
  const cache = cacheFor(context.cwd, context.globals.dryRun);
  const text = cache && readText(cache, nameOf(context, cache));
  return text === undefined ? undefined : executeWithChart(JSON.parse(text) as GenerateCall, context);
}

/** Stores a parsed call for {@link runCachedCall}. */
export function cacheCall(call: GenerateCall, context: CallContext): void {
  const cache = cacheFor(context.cwd, context.globals.dryRun);
  if (cache) writeText(cache, nameOf(context, cache), JSON.stringify(call));
}

/** Returns the cache key of a call. The result of parsing depends on the tool, the directory, PROJECT and the Makefile. */
function nameOf({ rawArgs, cwd }: CallContext, { tool }: Cache): string {
  return hash("sha256", JSON.stringify(["call", tool, cwd, rawArgs, nearestProject(cwd), generateLine(cwd)]));
}
