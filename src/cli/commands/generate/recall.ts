import { hash } from "node:crypto";
import { type Cache, readText, writeText } from "../../../generate/cache/index.ts";
import type { CommandContext, CommandResult } from "../../command.ts";
import { nearestProject } from "../../nearest-project.ts";
import { cacheFor } from "./cache.ts";
import type { GenerateCall } from "./call.ts";
import { execute, type Surrounded } from "./execute.ts";

type Words = Surrounded & Pick<CommandContext, "rawArgs">;

/**
 * Does what the same words asked for before in this project, without loading what reads them: that takes longer than the
 * rest of a run in which nothing has changed. Undefined if the words are new here.
 */
export async function recall(context: Words): Promise<CommandResult | undefined> {
  const cache = cacheFor(context.cwd, context.globals.dryRun);
  const text = cache && readText(cache, nameOf(context, cache));
  return text === undefined ? undefined : execute(JSON.parse(text) as GenerateCall, context);
}

/** Keeps what some words mean, for {@link recall}. */
export function remember(call: GenerateCall, context: Words): void {
  const cache = cacheFor(context.cwd, context.globals.dryRun);
  if (cache) writeText(cache, nameOf(context, cache), JSON.stringify(call));
}

/** Words mean the same as long as the tool, the place and what PROJECT says are the same. */
function nameOf({ rawArgs, cwd }: Words, { tool }: Cache): string {
  return hash("sha256", JSON.stringify(["call", tool, cwd, rawArgs, nearestProject(cwd)]));
}
