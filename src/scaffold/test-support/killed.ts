import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadSources, sourcesEnv } from "../../../scripts/test-support/from-sources.ts";
import type { ApplyStep } from "../files/apply.ts";
import type { Operation } from "../files/operation.ts";

const script = fileURLToPath(new URL("killed-apply.ts", import.meta.url));

/** Starts a process that applies operations and ends with SIGKILL before a step. Throws if it ends in another way. */
export function applyAndDie(
  root: string,
  operations: readonly Operation[],
  { step, path }: { readonly step: ApplyStep; readonly path: string },
): void {
  const args = [...loadSources, script, root, JSON.stringify(operations), step, path];
  const { signal, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env: sourcesEnv() });
  if (signal !== "SIGKILL") throw new Error(`the process wasn't killed before ${step} ${path}: ${stderr}`);
}
