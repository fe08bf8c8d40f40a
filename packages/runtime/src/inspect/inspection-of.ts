import type { ManagerOptions } from "../manager/options.ts";
import type { Inspection } from "./inspection.ts";
import { isInspectedByParent } from "./parent-process.ts";

/** Starts to record if an option or the parent process requires it. Without it, the code isn't loaded. */
export async function inspectionOf(options: ManagerOptions): Promise<Inspection | undefined> {
  const { inspect = isInspectedByParent() } = options;
  if (!inspect) return undefined;
  const { Inspection } = await import("./inspection.ts");
  return new Inspection(options.clock, inspect === true ? {} : inspect);
}
