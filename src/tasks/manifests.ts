import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scaffold } from "./programs.ts";
import type { Task } from "./task.ts";

/** Regenerates the manifests as `make manifests` does. */
export async function manifests(task: Task): Promise<void> {
  await scaffold(task, generateCall(task.root, []));
  if (task.project.helm) await scaffold(task, chartCall([]));
}

/** Returns the call of the generator with the options of `make manifests`, and further flags. */
export function generateCall(root: string, flags: readonly string[]): string[] {
  return ["generate", ...manifestsOptions(readMakefile(root)), ...flags];
}

/** Returns the call that updates the Helm chart. It takes those of the generator's flags that prevent writes. */
export function chartCall(flags: readonly string[]): string[] {
  return ["edit", "--helm", "--quiet", ...flags.filter((flag) => ["--check", "--dry-run"].includes(flag))];
}

/**
 * Returns the options of the call of `scaffold generate` in the `manifests` target, without make's variables. Without such a call
 * there are none, and `scaffold generate` uses the project's defaults.
 */
export function manifestsOptions(makefile: string): string[] {
  const lines = makefile.replace(/\\\r?\n\t?/g, " ").split(/\r?\n/);
  const start = lines.findIndex((line) => /^manifests\s*:(?!=)/.test(line));
  const recipe = start < 0 ? [] : lines.slice(start + 1);
  const end = recipe.findIndex((line) => !/^(\t|\s*$|#)/.test(line));
  const calls = recipe
    .slice(0, end < 0 ? undefined : end)
    .map((line) => /\bscaffold\s+generate\s+(.*)$/.exec(line)?.[1]);
  const call = calls.find((each) => each !== undefined)?.replace(/\s*(&&|\|\||;|\s#).*$/, "");
  const words = call?.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.filter((word) => !word.includes("$")).map((word) => word.replace(/["']/g, ""));
}

function readMakefile(root: string): string {
  try {
    return readFileSync(join(root, "Makefile"), "utf8");
  } catch {
    return "";
  }
}
