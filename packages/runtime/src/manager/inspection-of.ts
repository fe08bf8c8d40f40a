import type { Inspection } from "../inspect/inspection.ts";
import { isInspectedByParent } from "../session/parent-process.ts";
import type { ManagerOptions } from "./options.ts";

/** Starts to record if an option or the parent process requires it. Without it, the code isn't loaded. */
export async function inspectionOf(options: ManagerOptions): Promise<Inspection | undefined> {
  const { inspect = isInspectedByParent() } = options;
  if (!inspect) return undefined;
  const { Inspection } = await import("../inspect/inspection.ts");
  return new Inspection(options.clock, inspect === true ? {} : inspect);
}
