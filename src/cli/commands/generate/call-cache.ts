import { hash } from "node:crypto";
import { type Cache, readText, writeText } from "../../../generate/cache/index.ts";
import type { CommandContext, CommandResult } from "../../command.ts";
import { nearestProject } from "../../nearest-project.ts";
import { cacheFor } from "./cache.ts";
import type { GenerateCall } from "./call.ts";
import { execute, type Surrounded } from "./execute.ts";

type Words = Surrounded & Pick<CommandContext, "rawArgs">;

/**
 * Runs the call that the same arguments resulted in before, without loading the code that parses them: that takes longer than
 * the rest of a run without changes. Returns undefined if the arguments are new in this project.
 */
export async function runCachedCall(context: Words): Promise<CommandResult | undefined> {
  const cache = cacheFor(context.cwd, context.globals.dryRun);
  const text = cache && readText(cache, nameOf(context, cache));
  return text === undefined ? undefined : execute(JSON.parse(text) as GenerateCall, context);
}

/** Stores the parsed call of some arguments, for {@link runCachedCall}. */
export function cacheCall(call: GenerateCall, context: Words): void {
  const cache = cacheFor(context.cwd, context.globals.dryRun);
  if (cache) writeText(cache, nameOf(context, cache), JSON.stringify(call));
}

/** The key: a call depends on the arguments, the tool, the working directory and the PROJECT file. */
function nameOf({ rawArgs, cwd }: Words, { tool }: Cache): string {
  return hash("sha256", JSON.stringify(["call", tool, cwd, rawArgs, nearestProject(cwd)]));
}
