import { Run } from "./run.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";

/**
 * Runs one schedule. If it applies objects for the first time, it runs again with a server that records owners of fields.
 *
 * @param settings - the schedule
 * @returns the result
 */
export async function execute(settings: RunSettings): Promise<RunResult> {
  const result = await new Run(settings).execute();
  if (!result.needsOwners) return result;
  settings.prepared.appliesObjects = true;
  return new Run(settings).execute();
}
