import { runSchedule } from "./run.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";

/**
 * Runs one schedule. If it applies objects although the run without faults doesn't, it runs again with a server that records the
 * owners of fields. If it reads endpoints that nothing reads without faults, it runs again with endpoints.
 *
 * @param settings - the schedule
 * @returns the result
 */
export async function execute(settings: RunSettings): Promise<RunResult> {
  const result = await runSchedule(settings);
  if (result.needs === undefined) return result;
  if (result.needs === "endpoints") return execute({ ...settings, endpoints: true });
  return { ...(await execute({ ...settings, owners: true })), appliesObjects: true };
}
